import "reflect-metadata";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  type CanActivate,
  Catch,
  Controller,
  Get,
  type INestApplication,
  Module,
  NotFoundException,
  Param,
  UseFilters,
  UseGuards,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { SignalboxModule } from "../../src/integrations/nestjs.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

class Guard implements CanActivate {
  canActivate(): boolean {
    throw new RangeError("guard");
  }
}

class Conflict extends Error {}

/** A filter of the application, which chooses the status of an error. */
class ConflictFilter {
  catch(
    _: unknown,
    host: { switchToHttp(): { getResponse(): { status(code: number): { send(body: string): void } } } },
  ) {
    host.switchToHttp().getResponse().status(409).send("conflict");
  }
}

class OrdersController {
  missing(): string {
    throw new NotFoundException();
  }
  guarded(): string {
    return "never";
  }
  conflict(): string {
    throw new Conflict("taken");
  }
  // The last one: it matches the other paths, too.
  show(id: string): string {
    throw new TypeError(`no lines in ${id}`);
  }
}

// Node runs this file without compiling it, so decorators are called as functions.
Catch(Conflict)(ConflictFilter);
Controller("shop/orders")(OrdersController);
const method = (name: keyof OrdersController, ...decorators: MethodDecorator[]) => {
  const descriptor = Object.getOwnPropertyDescriptor(OrdersController.prototype, name)!;
  for (const decorate of decorators) decorate(OrdersController.prototype, name, descriptor);
};
method("missing", Get("missing"));
method("guarded", Get("guarded"), UseGuards(Guard));
method("conflict", Get("conflict"), UseFilters(ConflictFilter));
method("show", Get(":id"));
Param("id")(OrdersController.prototype, "show", 0);

const server = await recordingServer();
after(() => server.close());

for (const adapter of [new ExpressAdapter(), new FastifyAdapter()]) {
  test(`NestJS with ${adapter.getType()}: errors of handlers and guards are reported once, intended statuses are not`, async () => {
    const { reporter } = testReporter(server, { userHashSecret: "s" });
    // eslint-disable-next-line typescript/no-extraneous-class -- NestJS requires a class
    class AppModule {}
    Module({
      imports: [
        SignalboxModule.forRoot({
          reporter,
          userId: (request: { method: string; headers?: Record<string, string> }) =>
            request.headers?.["x-user"],
        }),
      ],
      controllers: [OrdersController],
    })(AppModule);
    const app: INestApplication = await NestFactory.create(AppModule, adapter, { logger: false });
    await app.listen(0, "127.0.0.1");
    const url = await app.getUrl();
    const statuses = [];
    for (const path of ["42?token=abc", "guarded", "missing", "conflict"]) {
      const response = await fetch(`${url}/shop/orders/${path}`, { headers: { "x-user": "ann" } });
      await response.text();
      statuses.push(response.status);
    }
    await app.close();
    await reporter.flush();
    assert.deepEqual(statuses, [500, 500, 404, 409]);
    const events = server.arrivals.splice(0).map(({ body }) => body);
    assert.deepEqual(
      events.map((event) => [event.exception_class, event.context]),
      [
        [
          "TypeError",
          {
            kind: "route",
            method: "GET",
            pattern: "/shop/orders/:id",
            action: "OrdersController.show",
            response_status: 500,
          },
        ],
        [
          "RangeError",
          { kind: "route", method: "GET", pattern: "/shop/orders/guarded", response_status: 500 },
        ],
      ],
    );
    assert.equal(events[0]?.framework?.name, "NestJS");
    assert.match(events[0]?.user_hash ?? "", /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(events).includes("token="));
  });
}
