import { reporterOf } from "../core/integration.ts";
import { isReported, requestDetails, type RequestOptions, statusOf } from "../core/response.ts";
import { attempt, filled, property } from "../core/safe.ts";

/** The used part of a Hono context; annotate your callbacks with `Context`. */
export interface HonoContext {
  req: { method: string };
  res: { status: number };
  error?: unknown;
}

/**
 * Creates a middleware for Hono that reports the errors of the handlers after it. Add it before the routes; `onError`
 * is not affected.
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
      // Hono passes only Error objects to onError and rethrows everything else.
      report(error, c, statusOf(error));
      throw error;
    }
    if (c.error) report(c.error, c, c.res.status);
  };
}

/** The pattern of the last handler that ran; if that was middleware (`*`), the last matching route's. */
function honoPattern(request: unknown): string | undefined {
  const matched = attempt(() =>
    (property(request, "matchedRoutes") as unknown[]).map((route) => property(route, "path")),
  );
  const ran = matched?.[property(request, "routeIndex") as number];
  return filled(String(ran).endsWith("*") ? matched?.at(-1) : ran);
}
