import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { SignInErrorCode } from "../../../shared/sign-in.ts";
import { answerError, HttpError } from "../../answers/errors.ts";
import type { Attempt } from "./attempts.ts";
import { pathOf, returnTo } from "../../../shared/return-to.ts";
import { SignInError } from "./sign-in-error.ts";

type Goal = Pick<Attempt, "return_to" | "linking_session">;

/** A page says what went wrong: the one on which somebody began to link, else that for signing in, which leads on. */
export function goBack(request: FastifyRequest, reply: FastifyReply, error: unknown, goal?: Goal) {
  if (!(error instanceof SignInError)) throw error;
  logFailure(request, error);
  return reply.redirect(placeOf(error.code, goal), 302);
}

export function logFailure(request: FastifyRequest, { code, reason }: SignInError) {
  request.log.warn({ code, reason }, "a sign-in by the identity provider failed");
}

/** The provider's failure to whoever asked by a program. */
export function providerAway(request: FastifyRequest, error: unknown): Error {
  if (!(error instanceof SignInError)) return error as Error;
  logFailure(request, error);
  return new HttpError(503, AWAY, {}, { "retry-after": "30" });
}

const AWAY = "The identity provider does not answer as it should. Try again later, or sign in by password.";

export const isNavigation = ({ headers }: FastifyRequest) => headers["sec-fetch-mode"] === "navigate";

/** A person in a browser who tries too often is told so on a page, not in JSON. */
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
  const wanted = returnTo.safeParse(return_to).data ?? "/";
  const place = placeOf("too_many", { return_to: wanted, linking_session: null });
  void reply.headers(error.headers).redirect(place, 302);
}

function placeOf(error: SignInErrorCode, goal: Goal | undefined): string {
  if (goal?.linking_session) return pathOf(goal.return_to, { error });
  const { return_to = "/" } = goal ?? {};
  return pathOf("/sign-in", { error, ...(return_to === "/" ? {} : { return_to }) });
}
