import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { describeError } from "../../answers/errors.ts";

/** Turns every exception into the form that SDKs expect: `{"detail": …}`, for rejected requests also in `X-Sentry-Error`. */
export function answerSentryError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body } = describeError(error, request);
  const { message, ...more } = body as { message: string };
  if (status < 500) void reply.header("x-sentry-error", message);
  return reply
    .code(status)
    .headers(headers)
    .send({ detail: message, ...more });
}
