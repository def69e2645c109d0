import {
  captureWithResponse,
  type NodeResponse,
  onStreamError,
  type RequestOptions,
} from "../core/response.ts";
import { filled, property } from "../core/safe.ts";

/** The used part of a Koa context; annotate your callbacks with `Koa.Context`. */
export interface KoaContext {
  method: string;
  req: object;
  res: NodeResponse;
  body?: unknown;
}

/**
 * Creates a middleware for Koa that reports the errors of the middleware after it and rethrows them, and the errors of
 * streams in `ctx.body`. Add it before the routes, and after any middleware that catches all errors.
 */
export function koaErrors<Context extends KoaContext = KoaContext>(options: RequestOptions<Context> = {}) {
  function report(error: unknown, ctx: Context) {
    // Set by @koa/router, including the prefix.
    const pattern = filled(property(ctx, "_matchedRoute"));
    const context = { method: ctx.method, pattern, name: filled(property(ctx, "_matchedRouteName")) };
    captureWithResponse(error, ctx, ctx.res, options, { framework: "Koa", context, subject: ctx.req });
  }

  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next();
    } catch (error) {
      report(error, ctx);
      throw error;
    }
    onStreamError(ctx.body, (error) => report(error, ctx));
  };
}
