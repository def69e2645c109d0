import { captureWithResponse, type NodeResponse, type RequestOptions } from "../core/response.ts";

/** The parts of a Fastify request in use here; annotate your own with `FastifyRequest`. */
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
 * A plugin for Fastify 5 that reports errors of the routes registered after it. Error handlers work as before.
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
  // A plugin's hooks serve its own scope; this one is for the whole application that registers it.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
