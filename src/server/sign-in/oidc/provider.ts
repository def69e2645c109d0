import * as openid from "openid-client";
import { z } from "zod";
import { email } from "../../../shared/people.ts";
import { line } from "../../../shared/text.ts";
import type { Attempt } from "./attempts.ts";
import type { OidcSettings } from "../../config/oidc-settings.ts";
import { SignInError } from "./sign-in-error.ts";

const TIMEOUT_SECONDS = 5;
/** The provider's description of itself is asked for again after this long; its keys are looked after apart from it. */
const FRESH_MS = 3_600_000;

/** Who somebody is, by the provider's word. What it leaves out or what is malformed is null. */
export type Claims = {
  issuer: string;
  subject: string;
  email: string | null;
  email_verified: boolean;
  preferred_username: string | null;
  given_name: string | null;
  family_name: string | null;
  name: string | null;
};

export type Provider = {
  /** Where the browser goes. Throws SignInError. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<string>;
  /** Who came back with this address: state, nonce, PKCE, issuer, audience and signature hold. Throws SignInError. */
  identify(address: URL, attempt: Attempt): Promise<Claims>;
};

/** The identity provider of the settings. It is first spoken to when somebody signs in by it. */
export function openProvider(settings: OidcSettings): Provider {
  const configuration = remembered(() => discover(settings));
  return {
    authorizationUrl: (attempt, redirectUri) =>
      told(async () =>
        openid.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          response_type: "code",
          scope: "openid email profile",
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(attempt.code_verifier),
          code_challenge_method: "S256",
        }),
      ).then((url) => url.href),
    identify: (address, attempt) =>
      told(async () => {
        const config = await configuration();
        const tokens = await openid.authorizationCodeGrant(config, address, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.code_verifier,
        });
        const token = tokens.claims();
        if (!token) throw new SignInError("failed", "the answer has no ID token");
        if (token["email"] !== undefined || !config.serverMetadata().userinfo_endpoint)
          return claimsOf(token);
        // An address and whether it is verified come from one and the same place.
        const more = await openid.fetchUserInfo(config, tokens.access_token, token.sub);
        return claimsOf({ ...token, email_verified: false, ...more, iss: token.iss });
      }),
  };
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<openid.Configuration> {
  const url = new URL(issuer);
  const post = openid.ClientSecretPost(clientSecret);
  const basic = openid.ClientSecretBasic(clientSecret);
  const authenticate: openid.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (methods.includes("client_secret_basic") ? basic : post)(server, client, body, headers);
  };
  const insecure = url.protocol === "http:" ? [openid.allowInsecureRequests] : [];
  return openid.discovery(url, clientId, undefined, authenticate, {
    timeout: TIMEOUT_SECONDS,
    execute: [openid.enableNonRepudiationChecks, ...insecure],
  });
}

/** Those who ask at once share the answer; a failure is forgotten with it. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; until: number } | undefined;
  return () => {
    if (known && known.until > performance.now()) return known.answer;
    const asked = { answer: ask(), until: performance.now() + FRESH_MS };
    known = asked;
    asked.answer.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.answer;
  };
}

const text = line(255).nullable().catch(null);

const claims = z.object({
  iss: line(2000),
  sub: line(255),
  email: email.nullable().catch(null),
  email_verified: z.boolean().catch(false),
  preferred_username: text,
  given_name: text,
  family_name: text,
  name: text,
});

function claimsOf(given: Record<string, unknown>): Claims {
  const result = claims.safeParse(given);
  if (!result.success) throw new SignInError("failed", "the subject is not a line of at most 255 characters");
  const { iss, sub, ...rest } = result.data;
  return { issuer: iss, subject: sub, ...rest };
}

/** The provider's failures in our words. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInError) throw error;
    const reason = reasonOf(error as Failure);
    if (error instanceof openid.AuthorizationResponseError && error.error === "access_denied")
      throw new SignInError("denied", reason);
    throw new SignInError(isAway(error as Failure) ? "provider_unavailable" : "failed", reason);
  }
}

type Failure = Error & { code?: unknown; error?: unknown };

/** No connection, no answer in time, or an answer that is the provider's own failure. */
function isAway(error: Failure): boolean {
  if (error instanceof TypeError && error.message === "fetch failed") return true;
  const { code, cause } = error;
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM") return cause instanceof Response && cause.status >= 500;
  return code === "OAUTH_TIMEOUT";
}

/** Codes and fixed words only: what the provider sent, and what was sent to it, may hold secrets. */
function reasonOf(error: Failure): string {
  const cause = error.cause instanceof Error ? (error.cause as Failure) : undefined;
  const words = [error.code, error.error, error.message, cause?.code, cause?.message];
  return [...new Set(words.filter((word) => typeof word === "string"))].join(", ").slice(0, 300);
}
