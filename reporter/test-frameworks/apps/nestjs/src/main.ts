import "./reporter.js";
import "reflect-metadata";
import {
  type CanActivate,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  UseGuards,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { SignalboxModule } from "@signalbox/reporter/nestjs";

const adapter = process.env["ADAPTER"]!;

@Injectable()
class Guard implements CanActivate {
  canActivate(): boolean {
    throw new RangeError(`guard, ${adapter}`);
  }
}

@Controller("orders")
class OrdersController {
  @Get("missing")
  missing() {
    throw new NotFoundException();
  }

  @Get("guarded")
  @UseGuards(Guard)
  guarded() {
    return "never";
  }

  @Get(":id")
  async show(@Param("id") id: string) {
    if (id === "42") throw new TypeError(`handler, ${adapter}`);
    return id;
  }
}

@Module({ imports: [SignalboxModule.forRoot()], controllers: [OrdersController] })
class AppModule {}

const app = await NestFactory.create(
  AppModule,
  adapter === "express" ? new ExpressAdapter() : new FastifyAdapter(),
);
app.enableShutdownHooks();
await app.listen(process.env["PORT"]!, "127.0.0.1");
