import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

export type FieldErrors = Record<string, string[]>;

/** A refusal the caller is told about. Thrown where the fact is discovered, translated once (service.md 7). */
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
  new HttpError(403, `${feature} is switched off in this workspace.`, { feature_restricted: true });
export const notFound = (what = "Not found.") => new HttpError(404, what);
export const tooLarge = (message = "The body is too large.") => new HttpError(413, message);
export const unsupportedType = (message: string) => new HttpError(415, message);
export const refused = (message: string) => new HttpError(422, message);
export const tooMany = (seconds: number) =>
  new HttpError(429, `Too many requests. Try again in ${seconds} s.`, {}, { "retry-after": String(seconds) });
export const overloaded = () =>
  new HttpError(503, "The server is busy. Try again in a moment.", {}, { "retry-after": "1" });

/** 422 with every failing field: `{"title": ["is required"]}`; nested fields are dotted. */
export function invalid(errors: FieldErrors): HttpError {
  const [field, messages] = Object.entries(errors)[0] ?? ["body", ["is invalid"]];
  return new HttpError(422, `${field} ${messages[0]}`, { errors });
}

/** The one place where an exception becomes an answer. What is not ours is a 500 that shows nothing of itself. */
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
      return badRequest("The body does not have the length its header names.");
    case "FST_ERR_MAX_PARAM_LENGTH":
    case "FST_ERR_BAD_URL":
      return notFound();
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new HttpError(error.statusCode, "The request could not be read.")
        : undefined;
  }
}

/** A statement or a lock took longer than it may, or the database or the store is away: trying again may help. */
const PASSING = new Set([
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

/** What node-postgres says without a code: no connection is free in time, or the one in use was lost. */
const LOST = /^(timeout exceeded when trying to connect|Connection terminated)/;

function fromDatabase(error: Error & { code?: string }): HttpError | undefined {
  const isGone = error.code === "ENOENT" && (error as { syscall?: string }).syscall === "connect";
  return PASSING.has(error.code ?? "") || isGone || LOST.test(error.message) ? overloaded() : undefined;
}
