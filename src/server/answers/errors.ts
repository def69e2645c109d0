import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

export type FieldErrors = Record<string, string[]>;

/** An error for the client. Thrown where the problem is found; `answerError` turns it into the response. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
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
export const notFound = (what = "Not found.") => new HttpError(404, what);
export const requestTimeout = () =>
  new HttpError(408, "The request did not arrive completely in time.", {}, { connection: "close" });
export const tooLarge = (message = "The body is too large.") => new HttpError(413, message);
export const unsupportedType = (message: string) => new HttpError(415, message);
export const refused = (message: string) => new HttpError(422, message);
export const tooMany = (seconds: number) =>
  new HttpError(429, `Too many requests. Try again in ${seconds} s.`, {}, { "retry-after": String(seconds) });
export const overloaded = () =>
  new HttpError(503, "The server is busy. Try again in a moment.", {}, { "retry-after": "1" });

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
  const known = error instanceof HttpError ? error : (fromFramework(error) ?? fromDatabase(error));
  if (known) return reply.code(known.status).headers(known.headers).send(known.body);
  request.log.error(
    { err: error, request_id: request.id, route: request.routeOptions.url },
    "request failed",
  );
  return reply
    .code(500)
    .send({ message: "Something went wrong on our side. It has been logged.", request_id: request.id });
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

/** Timeouts of statements and locks, and an unreachable database or storage: a retry may succeed. */
const TRANSIENT = new Set([
  "57014",
  "55P03",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
]);

/** Messages of node-postgres without a code: no connection was free in time, or the connection was lost. */
const CONNECTION_LOST = /^(timeout exceeded when trying to connect|Connection terminated)/;

function fromDatabase(error: Error & { code?: string }): HttpError | undefined {
  const isSocketMissing = error.code === "ENOENT" && (error as { syscall?: string }).syscall === "connect";
  return TRANSIENT.has(error.code ?? "") || isSocketMissing || CONNECTION_LOST.test(error.message)
    ? overloaded()
    : undefined;
}
