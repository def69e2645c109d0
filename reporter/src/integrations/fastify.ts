import { describeRequest } from "../core/describe-request.ts";
import {
  captureWithResponse,
  type NodeResponse,
  onStreamError,
  requestDetails,
  type RequestOptions,
} from "../core/response.ts";

/** The used part of a Fastify request; annotate your callbacks with `FastifyRequest`. */
export interface FastifyRequestLike {
  method: string;
  raw: object;
  routeOptions: { url?: string | undefined };
}

interface FastifyReplyLike {
  raw: NodeResponse;
  sent: boolean;
}

type Handler<Request> = (this: unknown, request: Request, reply: FastifyReplyLike) => unknown;

/** Fastify declares an overload for each hook; the one below names those that are used. */
interface FastifyLike {
  addHook(...hook: never[]): unknown;
}

interface AddHook<Request> {
  (name: "onRequest", hook: (request: Request, reply: FastifyReplyLike, done: () => void) => void): unknown;
  (name: "onRoute", hook: (route: { handler: Handler<Request> }) => void): unknown;
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the two hooks get different values
  <Value>(
    name: "onError" | "onSend",
    hook: (request: Request, reply: FastifyReplyLike, value: Value, done: () => void) => void,
  ): unknown;
}

/**
 * Creates a plugin for Fastify 5 that reports errors of the routes registered after it, including those of streams whose
 * headers have already been sent. It does not affect error handlers.
 */
export function fastifyErrors<Request extends FastifyRequestLike = FastifyRequestLike>(
  options: RequestOptions<Request> = {},
) {
  function report(request: Request, reply: FastifyReplyLike, error: unknown) {
    captureWithResponse(error, request, reply.raw, options, origin(request));
  }

  const origin = (request: Request) => ({
    framework: "Fastify",
    context: { method: request.method, pattern: request.routeOptions.url },
    subject: request.raw,
  });

  const plugin = (fastify: FastifyLike, _: unknown, done: () => void): void => {
    const addHook = fastify.addHook.bind(fastify) as AddHook<Request>;
    addHook("onRequest", (request, _reply, next) => {
      describeRequest(request.raw, () => requestDetails(request, options, origin(request)));
      next();
    });
    addHook("onError", (request, reply, error, next) => {
      report(request, reply, error);
      next();
    });
    // Fastify has no hook for the two kinds of errors that follow.
    addHook("onSend", (request, reply, payload, next) => {
      onStreamError(payload, (error) => report(request, reply, error));
      next();
    });
    addHook("onRoute", (route) => {
      const { handler } = route;
      route.handler = function (request, reply) {
        const result = handler.call(this, request, reply);
        // After reply.hijack(), Fastify only logs a rejection.
        if (result instanceof Promise)
          result.catch((error: unknown) => reply.sent && report(request, reply, error));
        return result;
      };
    });
    done();
  };
  // Without this, the hook would apply only inside the plugin's own scope.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
