import { captureWithResponse, type NodeResponse, type RequestOptions } from "../core/response.ts";

/** The used part of a Fastify request; annotate your callbacks with `FastifyRequest`. */
export interface FastifyRequestLike {
  method: string;
  routeOptions: { url?: string | undefined };
}

interface FastifyLike<Request> {
  addHook(
    name: "onError",
    hook: (request: Request, reply: { raw: NodeResponse }, error: Error, done: () => void) => void,
  ): unknown;
}

/**
 * Creates a plugin for Fastify 5 that reports errors of the routes registered after it. It does not affect error
 * handlers.
 */
export function fastifyErrors<Request extends FastifyRequestLike = FastifyRequestLike>(
  options: RequestOptions<Request> = {},
) {
  const plugin = (fastify: FastifyLike<Request>, _: unknown, done: () => void): void => {
    fastify.addHook("onError", (request, reply, error, next) => {
      const context = { method: request.method, pattern: request.routeOptions.url };
      captureWithResponse(error, request, reply.raw, options, { framework: "Fastify", context });
      next();
    });
    done();
  };
  // Without this, the hook would apply only inside the plugin's own scope.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
