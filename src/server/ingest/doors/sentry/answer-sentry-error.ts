import type { FastifyReply, FastifyRequest } from "fastify";
import { describeError } from "../../../answers/errors.ts";

/** Turns every exception into the form that SDKs expect. */
export function answerSentryError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body } = describeSentryError(error, request);
  return reply.code(status).headers(headers).send(body);
}

/** The response to an exception: `{"detail": …}`, and the same text in `X-Sentry-Error` if the request was rejected. */
export function describeSentryError(error: Error, request: Parameters<typeof describeError>[1]) {
  const { status, headers, body } = describeError(error, request);
  const { message, ...more } = body as { message: string };
  return {
    status,
    headers: status < 500 ? { "x-sentry-error": message, ...headers } : headers,
    body: { detail: message, ...more },
  };
}
