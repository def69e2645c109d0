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

/** What an integration knows about a request. */
export interface Origin {
  framework: string;
  context: Omit<RouteContext, "kind">;
  /** The object that identifies the request in every integration: Node's IncomingMessage, else the Request. */
  subject: object;
}

/**
 * Captures a request's error when its response closes: its status is not known before. If the headers have already been
 * sent, as in a stream, the error cannot choose the status any more: the response stays unfinished, which counts as 500.
 */
export function captureWithResponse<Request>(
  error: unknown,
  request: Request,
  response: NodeResponse,
  options: RequestOptions<Request>,
  origin: Origin,
): void {
  const reporter = reporterOf(options);
  if (!reporter) return;
  const details = requestDetails(request, options, origin);
  const capture = (status: number) => {
    if (!isReported(error, status, options)) return;
    const context = { ...details.context, response_status: status };
    reporter.captureOnce(error, { ...details, context }, origin.subject);
  };
  if (response.headersSent) {
    if (!isDisconnect(error)) capture(statusOf(error));
    return;
  }
  const run = () => capture(response.headersSent ? response.statusCode : statusOf(error));
  const later = reporter.postpone?.(run) ?? run;
  if (response.destroyed) later();
  else response.once("close", later);
}

/** Whether a stream failed because its response closed early: usually, the client disconnected. */
function isDisconnect(error: unknown): boolean {
  return property(error, "code") === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Observes the error of a stream that a framework sends as a response. The framework has to listen, too. */
export function onStreamError(stream: unknown, report: (error: unknown) => void): void {
  const once = property(stream, "once");
  if (typeof once === "function") attempt(() => once.call(stream, "error", report));
}

/** The details of an error in a request, without the status of its response. */
export function requestDetails<Request>(
  request: Request,
  options: RequestOptions<Request>,
  { framework, context }: Omit<Origin, "subject">,
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
