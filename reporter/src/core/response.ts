import type { RouteContext } from "./event.ts";
import { type IntegrationOptions, reporterOf } from "./integration.ts";
import { attempt, property } from "./safe.ts";

/** What web frameworks take beside the options of every integration. */
export interface RequestOptions<Request> extends IntegrationOptions<Request> {
  /**
   * Whether an error that ended in this response status is one to report. Default: 500 and above, since a 404 or a
   * failed validation is an answer, not an error.
   */
  report?: ((error: unknown, status: number) => boolean) | undefined;
}

/** The parts of node:http's ServerResponse in use here. */
export interface NodeResponse {
  statusCode: number;
  headersSent: boolean;
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Captures an error of a request once its response is out: only then is it known which status the error became.
 */
export function captureWithResponse<Request>(
  error: unknown,
  request: Request,
  response: NodeResponse,
  options: RequestOptions<Request>,
  about: { framework: string; context: Omit<RouteContext, "kind"> },
): void {
  const reporter = reporterOf(options);
  if (!reporter) return;
  const details = requestDetails(request, options, about);
  const run = () => {
    const status = response.headersSent ? response.statusCode : statusOf(error);
    if (!isReported(error, status, options)) return;
    reporter.captureOnce(error, { ...details, context: { ...details.context, response_status: status } });
  };
  const capture = reporter.postpone?.(run) ?? run;
  if (response.destroyed) capture();
  else response.once("close", capture);
}

/** The details of an error in a request, except the status of its response. */
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

/** The status frameworks give an error that names none is 500. */
export function statusOf(error: unknown): number {
  const status = property(error, "status") ?? property(error, "statusCode");
  return typeof status === "number" ? status : 500;
}
