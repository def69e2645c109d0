import { reporterOf } from "../core/integration.ts";
import { isReported, requestDetails, type RequestOptions, statusOf } from "../core/response.ts";
import { attempt, filled, property } from "../core/safe.ts";

/** The parts of a Hono context in use here; annotate your own with `Context`. */
export interface HonoContext {
  req: { method: string };
  res: { status: number };
  error?: unknown;
}

/**
 * A middleware for Hono that reports what the handlers behind it throw. It goes in front of the routes; `onError` works
 * as before.
 */
export function honoErrors<Context extends HonoContext = HonoContext>(options: RequestOptions<Context> = {}) {
  function report(error: unknown, c: Context, status: number) {
    const reporter = reporterOf(options);
    if (!reporter || !isReported(error, status, options)) return;
    const context = { method: c.req.method, pattern: honoPattern(c.req), response_status: status };
    reporter.captureOnce(error, requestDetails(c, options, { framework: "Hono", context }));
  }

  return async (c: Context, next: () => Promise<void>): Promise<void> => {
    try {
      await next();
    } catch (error) {
      // Hono hands only Errors to onError; anything else that is thrown comes through here.
      report(error, c, statusOf(error));
      throw error;
    }
    if (c.error) report(c.error, c, c.res.status);
  };
}

/** The pattern of the handler that ran last; a middleware's `*` gives way to the last route that matched. */
function honoPattern(request: unknown): string | undefined {
  const matched = attempt(() =>
    (property(request, "matchedRoutes") as unknown[]).map((one) => property(one, "path")),
  );
  const ran = matched?.[property(request, "routeIndex") as number];
  return filled(String(ran).endsWith("*") ? matched?.at(-1) : ran);
}
