import type * as OpenIdClient from "openid-client";
import { FRESH_SECONDS } from "../../access/current-password.ts";
import type { OidcSettings } from "../../config/oidc-settings.ts";
import { type Claims, claimsOf } from "./claims.ts";
import { translateErrors } from "./provider-errors.ts";
import type { Attempt } from "./sign-in-attempts.ts";
import { SignInError } from "./sign-in-error.ts";

const TIMEOUT_SECONDS = 5;
/** The provider's metadata is fetched again after this time. The library refreshes its keys separately. */
const FRESH_MS = 3_600_000;

export type Provider = {
  /** The address to redirect the browser to. Throws SignInError. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<string>;
  /**
   * Who signed in, from the address that the browser came back to. Checks state, nonce, PKCE, issuer, audience and
   * signature, and in an attempt that confirms a session, when the user was authenticated. Throws SignInError.
   */
  identify(address: URL, attempt: Attempt): Promise<Claims>;
};

/** Loaded when someone signs in: it takes 7 MB and 40 ms. */
const load = () => import("openid-client");

/** Makes no request until someone signs in. */
export function openProvider(settings: OidcSettings): Provider {
  const configuration = cached(async () => discover(await load(), settings));
  return {
    authorizationUrl: (attempt, redirectUri) =>
      translateErrors(async () => {
        const openid = await load();
        return openid.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          response_type: "code",
          scope: "openid email profile",
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(attempt.code_verifier),
          code_challenge_method: "S256",
          // The provider must ask for the password again, even if the browser is signed in there.
          ...(attempt.confirming_session ? { max_age: "0" } : {}),
        }).href;
      }),
    identify: (address, attempt) =>
      translateErrors(async () => {
        const openid = await load();
        const config = await configuration();
        const tokens = await openid.authorizationCodeGrant(config, address, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.code_verifier,
          ...(attempt.confirming_session ? { maxAge: FRESH_SECONDS } : {}),
        });
        const token = tokens.claims();
        if (!token) throw new SignInError("failed", "the answer has no ID token");
        if (token["email"] !== undefined || !config.serverMetadata().userinfo_endpoint)
          return claimsOf(token);
        // Take the address and its verification from the same source.
        const userInfo = await openid.fetchUserInfo(config, tokens.access_token, token.sub);
        return claimsOf({ ...token, email_verified: false, ...userInfo, iss: token.iss });
      }),
  };
}

function discover(
  openid: typeof OpenIdClient,
  { issuer, clientId, clientSecret }: OidcSettings,
): Promise<OpenIdClient.Configuration> {
  const url = new URL(issuer);
  const post = openid.ClientSecretPost(clientSecret);
  const basic = openid.ClientSecretBasic(clientSecret);
  const authenticate: OpenIdClient.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (methods.includes("client_secret_basic") ? basic : post)(server, client, body, headers);
  };
  const insecure = url.protocol === "http:" ? [openid.allowInsecureRequests] : [];
  return openid.discovery(url, clientId, undefined, authenticate, {
    timeout: TIMEOUT_SECONDS,
    execute: [openid.enableNonRepudiationChecks, ...insecure],
  });
}

/** Caches the result of `ask`. Concurrent callers share one call; a failed one is not cached. */
function cached<T>(ask: () => Promise<T>): () => Promise<T> {
  let cachedAnswer: { answer: Promise<T>; until: number } | undefined;
  return () => {
    if (cachedAnswer && cachedAnswer.until > performance.now()) return cachedAnswer.answer;
    const entry = { answer: ask(), until: performance.now() + FRESH_MS };
    cachedAnswer = entry;
    entry.answer.catch(() => {
      if (cachedAnswer === entry) cachedAnswer = undefined;
    });
    return entry.answer;
  };
}
