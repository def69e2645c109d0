import type { RouteContext } from "./event.ts";
import { type IntegrationOptions, reporterOf } from "./integration.ts";
import { attempt, property } from "./safe.ts";

/** Options of the integrations with web frameworks. */
export interface RequestOptions<Request> extends IntegrationOptions<Request> {
  /**
   * Whether to report an error that resulted in this response status. Default: 500 and above; a 404 or a failed
   * validation is a normal response.
   */
  report?: ((error: unknown, status: number) => boolean) | undefined;
}

/** The used part of node:http's ServerResponse. */
export interface NodeResponse {
  statusCode: number;
  headersSent: boolean;
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** Captures a request's error when its response closes: its status is not known before. */
export function captureWithResponse<Request>(
  error: unknown,
  request: Request,
  response: NodeResponse,
  options: RequestOptions<Request>,
  origin: { framework: string; context: Omit<RouteContext, "kind"> },
): void {
  const reporter = reporterOf(options);
  if (!reporter) return;
  const details = requestDetails(request, options, origin);
  const run = () => {
    const status = response.headersSent ? response.statusCode : statusOf(error);
    if (!isReported(error, status, options)) return;
    reporter.captureOnce(error, { ...details, context: { ...details.context, response_status: status } });
  };
  const capture = reporter.postpone?.(run) ?? run;
  if (response.destroyed) capture();
  else response.once("close", capture);
}

/** The details of an error in a request, without the status of its response. */
export function requestDetails<Request>(
  request: Request,
  options: RequestOptions<Request>,
  { framework, context }: { framework: string; context: Omit<RouteContext, "kind"> },
) {
  return {
    userId: attempt(() => options.userId?.(request)) ?? undefined,
    framework: { name: framework },
    context: { kind: "route", ...context } as RouteContext,
  };
}

export function isReported<Request>(
  error: unknown,
  status: number,
  options: RequestOptions<Request>,
): boolean {
  return options.report ? attempt(() => options.report!(error, status)) !== false : status >= 500;
}

/** The status that frameworks derive from an error: its own, or 500. */
export function statusOf(error: unknown): number {
  const status = property(error, "status") ?? property(error, "statusCode");
  return typeof status === "number" ? status : 500;
}
