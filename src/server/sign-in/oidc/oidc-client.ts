import type { FastifyReply } from "fastify";
import type { Context } from "../../access/context.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { hostCookie } from "../../http/host-cookie.ts";
import { ATTEMPT_SECONDS, keepAttempt, newAttempt, type Goal } from "./sign-in-attempts.ts";
import { type Provider, openProvider } from "./provider.ts";

export const attemptCookie = hostCookie("signalbox-oidc", ATTEMPT_SECONDS);

export type OidcClient = {
  /** 404 if no identity provider is set up. */
  requireProvider(): Provider;
  /** The address that the provider redirects the browser back to. */
  callbackUrl(): string;
  /**
   * Starts an attempt and sets its cookie; returns the provider's address to redirect the browser to. Throws
   * SignInError.
   */
  startAttempt(db: Db, reply: FastifyReply, goal: Goal): Promise<string>;
};

export function makeOidcClient({ config: { oidc }, publicUrl }: Context): OidcClient {
  const opened = oidc && openProvider(oidc);
  const requireProvider = () => {
    if (!opened) throw notFound("No identity provider is set up.");
    return opened;
  };
  const callbackUrl = () => `${publicUrl()}/api/oidc/callback`;
  return {
    requireProvider,
    callbackUrl,
    startAttempt: async (db, reply, goal) => {
      const attempt = newAttempt(goal);
      const address = await requireProvider().authorizationUrl(attempt, callbackUrl());
      attemptCookie.set(reply, publicUrl(), await keepAttempt(db, attempt));
      return address;
    },
  };
}
