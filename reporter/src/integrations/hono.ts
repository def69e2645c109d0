import { describeRequest } from "../core/describe-request.ts";
import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { isReported, requestDetails, type RequestOptions, statusOf } from "../core/response.ts";
import { attempt, filled, property } from "../core/safe.ts";

/** The used part of a Hono context; annotate your callbacks with `Context`. */
export interface HonoContext {
  req: { method: string };
  res: Response;
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
    reporter.captureOnce(error, requestDetails(c, options, { framework: "Hono", context }), subjectOf(c));
  }

  return async (c: Context, next: () => Promise<void>): Promise<void> => {
    describeRequest(subjectOf(c), () => {
      const context = { method: c.req.method, pattern: honoPattern(c.req) };
      return requestDetails(c, options, { framework: "Hono", context });
    });
    try {
      await next();
    } catch (error) {
      // Hono passes only Error objects to onError and rethrows everything else.
      report(error, c, statusOf(error));
      throw error;
    }
    if (c.error) report(c.error, c, c.res.status);
    else if (isStream(c.res)) c.res = observed(c.res, (error) => report(error, c, 500));
  };
}

/**
 * Creates the `onError` argument of Hono's `stream`, `streamText` and `streamSSE`. Without it, Hono only prints the
 * errors of their callbacks: `streamSSE(c, callback, honoStreamErrors(c))`.
 */
export function honoStreamErrors<Context extends HonoContext = HonoContext>(
  c: Context,
  options: IntegrationOptions<Context> = {},
) {
  return async (error: unknown): Promise<void> => {
    const context = { method: c.req.method, pattern: honoPattern(c.req), response_status: 500 };
    const details = requestDetails(c, options, { framework: "Hono", context });
    reporterOf(options)?.captureOnce(error, details, subjectOf(c));
  };
}

/** Node's request if there is one, because other integrations and the request's scope use it. */
function subjectOf(c: HonoContext): object {
  return property(property(c, "env"), "incoming") ?? property(c.req, "raw") ?? c;
}

/** Whether the body may be a stream of the application. Other bodies are complete and cannot fail. */
function isStream({ body, headers }: Response): boolean {
  if (!body || headers.has("content-length")) return false;
  return headers.has("transfer-encoding") || !/json|html|text\/plain/.test(headers.get("content-type") ?? "");
}

/** A copy of the response that reports errors of its body. */
function observed(response: Response, report: (error: unknown) => void): Response {
  const reader = response.body!.getReader();
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        report(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}

/** The pattern of the last handler that ran; if that was middleware (`*`), the last matching route's. */
function honoPattern(request: unknown): string | undefined {
  const matched = attempt(() =>
    (property(request, "matchedRoutes") as unknown[]).map((route) => property(route, "path")),
  );
  const ran = matched?.[property(request, "routeIndex") as number];
  return filled(String(ran).endsWith("*") ? matched?.at(-1) : ran);
}
