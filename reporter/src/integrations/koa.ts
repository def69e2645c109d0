import { describeRequest } from "../core/describe-request.ts";
import {
  captureWithResponse,
  type NodeResponse,
  onStreamError,
  requestDetails,
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
  function origin(ctx: Context) {
    // Set by @koa/router, including the prefix.
    const pattern = filled(property(ctx, "_matchedRoute"));
    const context = { method: ctx.method, pattern, name: filled(property(ctx, "_matchedRouteName")) };
    return { framework: "Koa", context, subject: ctx.req };
  }

  const report = (error: unknown, ctx: Context) =>
    captureWithResponse(error, ctx, ctx.res, options, origin(ctx));

  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    describeRequest(ctx.req, () => requestDetails(ctx, options, origin(ctx)));
    try {
      await next();
    } catch (error) {
      report(error, ctx);
      throw error;
    }
    onStreamError(ctx.body, (error) => report(error, ctx));
  };
}
