import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { SignInErrorCode } from "../../../shared/sign-in.ts";
import { answerError, HttpError } from "../../answers/errors.ts";
import type { Goal } from "./sign-in-attempts.ts";
import { withQuery, returnTo } from "../../../shared/return-to.ts";
import { SignInError } from "./sign-in-error.ts";

/** Redirects to a page that shows the error: the page where a signed-in user started, or the sign-in page. */
export function redirectWithError(request: FastifyRequest, reply: FastifyReply, error: unknown, goal?: Goal) {
  if (!(error instanceof SignInError)) throw error;
  logFailure(request, error);
  return reply.redirect(pageFor(error.code, goal), 302);
}

function logFailure(request: FastifyRequest, { code, reason }: SignInError) {
  request.log.warn({ code, reason }, "sign-in with the identity provider failed");
}

/** The response to an API client when the provider fails. */
export function providerUnavailable(request: FastifyRequest, error: unknown): Error {
  if (!(error instanceof SignInError)) return error as Error;
  logFailure(request, error);
  return new HttpError(503, UNAVAILABLE, {}, { "retry-after": "30" });
}

const UNAVAILABLE =
  "The identity provider is not responding correctly. Try again later, or sign in with your password.";

export const isNavigation = ({ headers }: FastifyRequest) => headers["sec-fetch-mode"] === "navigate";

/** Shows people in a browser a page instead of JSON when they exceed the rate limit. */
export function answerNavigation(
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (!isNavigation(request) || !(error instanceof HttpError) || error.status !== 429) {
    void answerError(error, request, reply);
    return;
  }
  const { return_to } = request.query as Record<string, unknown>;
  const valid = returnTo.safeParse(return_to).data ?? "/";
  const page = pageFor("too_many", { return_to: valid, linking_session: null, confirming_session: null });
  void reply.headers(error.headers).redirect(page, 302);
}

function pageFor(error: SignInErrorCode, goal: Goal | undefined): string {
  if (goal?.linking_session ?? goal?.confirming_session) return withQuery(goal.return_to, { error });
  const { return_to = "/" } = goal ?? {};
  return withQuery("/sign-in", { error, ...(return_to === "/" ? {} : { return_to }) });
}
