import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isOutage } from "./outage.ts";

export type FieldErrors = Record<string, string[]>;

/** An error for the client. Thrown where the problem is found; `answerError` turns it into the response. */
export class HttpError extends Error {
  readonly status: number;
  /** An object, or text to send as it is. */
  body: unknown;
  readonly headers: Record<string, string | string[]>;

  constructor(
    status: number,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string | string[]> = {},
  ) {
    super(message);
    this.status = status;
    this.body = { message, ...more };
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new HttpError(400, message);
export const unauthorized = (message: string) =>
  new HttpError(401, message, {}, { "www-authenticate": "Bearer" });
export const forbidden = (message = "You may not do this.") => new HttpError(403, message);
export const featureRestricted = (feature: string) =>
  new HttpError(403, `${feature} is turned off in this workspace.`, { feature_restricted: true });
/** For routes across projects. */
export const featureNowhere = (feature: string) =>
  new HttpError(403, `You have no project with ${feature}.`, { feature_restricted: true });
export const notFound = (what = "Not found.") => new HttpError(404, what);
export const requestTimeout = () =>
  new HttpError(408, "The request did not arrive completely in time.", {}, { connection: "close" });
export const conflict = (message: string) => new HttpError(409, message, {}, { "retry-after": "1" });
export const tooLarge = (message = "The body is too large.") => new HttpError(413, message);
export const unsupportedType = (message: string) => new HttpError(415, message);
export const refused = (message: string) => new HttpError(422, message);
export const tooMany = (seconds: number) =>
  new HttpError(429, `Too many requests. Try again in ${seconds} s.`, {}, { "retry-after": String(seconds) });
/** 502: a service that the server depends on returned something wrong. Clients get the message, the log gets the cause. */
export const badGateway = (message: string, cause: Error) =>
  Object.assign(new HttpError(502, message), { cause });
export const overloaded = (seconds = 1) =>
  new HttpError(503, "The server is busy. Try again in a moment.", {}, { "retry-after": String(seconds) });

/** 422 with every invalid field: `{"title": ["is required"]}`. Nested fields are dotted. */
export function invalid(errors: FieldErrors): HttpError {
  const [field, messages] = Object.entries(errors)[0] ?? ["body", ["is invalid"]];
  return new HttpError(422, `${field} ${messages[0]}`, { errors });
}

/** Turns every exception into a response. An unexpected one is logged and becomes a 500 without details. */
export function answerError(
  error: FastifyError | HttpError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { status, headers, body } = describeError(error, request);
  return reply.code(status).headers(headers).send(body);
}

/** The parts of a failed request that are logged. */
type Failed = { id: string; log: FastifyBaseLogger; routeOptions: { url?: string | undefined } };

/** The response to an exception. An unexpected one is logged. */
export function describeError(error: FastifyError | HttpError | Error, request: Failed): HttpError {
  const known = error instanceof HttpError ? error : (fromFramework(error) ?? fromOutage(error, request));
  if (known?.cause !== undefined) logFailure(known.cause, request);
  if (known) return known;
  logFailure(error, request);
  return new HttpError(500, "Something went wrong on our side. It has been logged.", {
    request_id: request.id,
  });
}

function logFailure(err: unknown, request: Failed) {
  request.log.error({ err, request_id: request.id, route: request.routeOptions.url }, "request failed");
}

function fromFramework(error: Error & { code?: string; statusCode?: number }): HttpError | undefined {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return tooLarge();
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedType("The content type is not supported here. Send application/json.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return badRequest("The body is not as long as its Content-Length header says.");
    case "FST_ERR_MAX_PARAM_LENGTH":
    case "FST_ERR_BAD_URL":
      return notFound();
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new HttpError(error.statusCode, "The request could not be read.")
        : undefined;
  }
}

/** During an outage, every request fails for the same reason. So this logs once a second, with the number of other failures. */
const LOG_MS = 1_000;
let loggedAt = -Infinity;
let notLogged = 0;

function fromOutage(error: Error, request: Failed): HttpError | undefined {
  if (!isOutage(error)) return undefined;
  const now = performance.now();
  if (now < loggedAt + LOG_MS) notLogged++;
  else {
    const more = notLogged > 0 ? { not_logged: notLogged } : {};
    request.log.warn({ err: error, route: request.routeOptions.url, ...more }, "requests fail for now");
    loggedAt = now;
    notLogged = 0;
  }
  return overloaded();
}
