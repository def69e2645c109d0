import { captureWithResponse, type NodeResponse, type RequestOptions } from "../core/response.ts";
import { filled, property } from "../core/safe.ts";

/** The parts of a Koa context in use here; annotate your own with `Koa.Context`. */
export interface KoaContext {
  method: string;
  res: NodeResponse;
}

/**
 * A middleware for Koa that reports what the middleware behind it throws, and throws it on. It goes in front of the
 * routes and behind a middleware of the application's that catches everything.
 */
export function koaErrors<Context extends KoaContext = KoaContext>(options: RequestOptions<Context> = {}) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next();
    } catch (error) {
      // @koa/router notes the route it chose, prefix included.
      const pattern = filled(property(ctx, "_matchedRoute"));
      const context = { method: ctx.method, pattern, name: filled(property(ctx, "_matchedRouteName")) };
      captureWithResponse(error, ctx, ctx.res, options, { framework: "Koa", context });
      throw error;
    }
  };
}
