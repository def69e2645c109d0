import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type DynamicModule,
  type ExecutionContext,
} from "@nestjs/common";
import { APP_FILTER, APP_INTERCEPTOR, BaseExceptionFilter } from "@nestjs/core";
import { tap, throwError } from "rxjs";
import { expressPattern, type RoutedRequest } from "../core/express-pattern.ts";
import { reporterOf } from "../core/integration.ts";
import {
  captureWithResponse,
  isReported,
  type NodeResponse,
  type RequestOptions,
  statusOf,
} from "../core/response.ts";
import { attempt, filled, property } from "../core/safe.ts";

/** The used part of a request of Express or Fastify; annotate your callbacks with your adapter's request. */
export interface NestRequest {
  method: string;
}

/**
 * Reports the errors of a NestJS application, with Express or Fastify: its interceptor sees those of handlers and pipes
 * even if an exception filter handles them, and its filter those of guards and middleware.
 */
// eslint-disable-next-line typescript/no-extraneous-class -- NestJS requires a class
export class SignalboxModule {
  static forRoot<Request extends NestRequest = NestRequest>(
    options: RequestOptions<Request> = {},
  ): DynamicModule {
    class ReporterFilter extends BaseExceptionFilter {
      override catch(error: unknown, host: ArgumentsHost): unknown {
        report(error, host, options);
        // eslint-disable-next-line promise/valid-params -- this is no promise
        if (host.getType() === "http") return super.catch(error, host);
        // As NestJS's own filters do. Microservices expect an observable, GraphQL a thrown error.
        if (host.getType() === "rpc") return throwError(() => rpcError(error));
        throw error;
      }
    }
    Catch()(ReporterFilter);
    const interceptor = {
      intercept: (context: ExecutionContext, next: CallHandler) =>
        next.handle().pipe(tap({ error: (error) => report(error, context, options) })),
    };
    return {
      module: SignalboxModule,
      providers: [
        { provide: APP_FILTER, useClass: ReporterFilter },
        { provide: APP_INTERCEPTOR, useValue: interceptor },
      ],
    };
  }
}

function report<Request extends NestRequest>(
  error: unknown,
  host: ArgumentsHost | ExecutionContext,
  options: RequestOptions<Request>,
) {
  const action = actionOf(host);
  if (host.getType() !== "http") {
    if (!isReported(error, statusOf(error), options)) return;
    const context = { kind: "job", name: action } as const;
    return reporterOf(options)?.captureOnce(error, { framework: { name: "NestJS" }, context });
  }
  const request = host.switchToHttp().getRequest<Request>();
  const response = host.switchToHttp().getResponse<NodeResponse & { raw?: NodeResponse }>();
  const pattern =
    filled(property(property(request, "routeOptions"), "url")) ??
    attempt(() => expressPattern(request as unknown as RoutedRequest));
  captureWithResponse(error, request, response.raw ?? response, options, {
    framework: "NestJS",
    context: { method: request.method, pattern, action },
    subject: property(request, "raw") ?? request,
  });
}

/** `OrdersController.show`; unknown for the errors of guards and middleware. */
function actionOf(host: ArgumentsHost | ExecutionContext): string | undefined {
  return "getHandler" in host
    ? attempt(() => `${host.getClass().name}.${host.getHandler().name}`)
    : undefined;
}

/** What a client of a microservice receives. */
function rpcError(error: unknown): unknown {
  const own = property(error, "getError");
  return typeof own === "function" ? own.call(error) : { status: "error", message: "Internal server error" };
}
