import type { FastifyReply } from "fastify";
import type { Context } from "../../access/context.ts";
import { notFound } from "../../answers/errors.ts";
import { hostCookie } from "../../http/host-cookie.ts";
import { ATTEMPT_SECONDS, keepAttempt, newAttempt, type Attempt } from "./attempts.ts";
import { openProvider, type Provider } from "./provider.ts";

export const attemptCookie = hostCookie("signalbox-oidc", ATTEMPT_SECONDS);

/** The identity provider, if one is set up, and the way to it. */
export type Door = {
  /** 404 when there is none. */
  provider(): Provider;
  /** Where the provider sends the browser back. */
  callback(): string;
  /** Ties a new attempt to the browser; returns where that goes. Throws SignInError. */
  begin(reply: FastifyReply, goal: Pick<Attempt, "return_to" | "linking_session">): Promise<string>;
};

export function openDoor({ database: { db }, config: { oidc }, publicUrl }: Context): Door {
  const opened = oidc && openProvider(oidc);
  const provider = () => {
    if (!opened) throw notFound("No identity provider is set up.");
    return opened;
  };
  const callback = () => `${publicUrl()}/api/oidc/callback`;
  return {
    provider,
    callback,
    begin: async (reply, goal) => {
      const attempt = newAttempt(goal);
      const address = await provider().authorizationUrl(attempt, callback());
      attemptCookie.set(reply, publicUrl(), await keepAttempt(db, attempt));
      return address;
    },
  };
}
