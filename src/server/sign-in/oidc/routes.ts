import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { NEW_SESSION } from "../../../shared/new-session.ts";
import type { SignInMethods } from "../../../shared/sign-in.ts";
import { signInMethodsAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setDeviceCookie, setSessionCookie } from "../../access/sessions.ts";
import { noBody } from "../../answers/operation.ts";
import { takeAttempt, type TakenAttempt } from "./sign-in-attempts.ts";
import type { Claims } from "./claims.ts";
import { attemptCookie, makeOidcClient, type OidcClient } from "./oidc-client.ts";
import { answerNavigation, redirectWithError, isNavigation, providerUnavailable } from "./failures.ts";
import { linkRoute } from "./link-route.ts";
import { returnTo } from "../../../shared/return-to.ts";
import { confirmSignIn, signInAgainRoute } from "./sign-in-again.ts";
import { linkIdentity } from "./link-identity.ts";
import { signInByIdentity } from "./sign-in-by-identity.ts";
import { SignInError } from "./sign-in-error.ts";

const startQuery = z.object({ return_to: returnTo.default("/") });

/** Redirects a browser to the identity provider, and receives it when it comes back. */
export function oidcRoutes(api: Api, context: Context) {
  const client = makeOidcClient(context);
  methodsRoute(api, context);
  linkRoute(api, context, client);
  signInAgainRoute(api, client);
  startRoute(api, client);
  callbackRoute(api, context, client);
}

function methodsRoute(api: Api, { config: { oidc, mail } }: Context) {
  api.get(
    "/api/sign-in",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readSignInMethods",
        summary: "Read the available sign-in methods",
        response: { 200: signInMethodsAnswer },
      },
    },
    (): SignInMethods => ({
      password: true,
      oidc: oidc ? { name: oidc.name } : null,
      mail: mail !== undefined,
    }),
  );
}

function startRoute(api: Api, client: OidcClient) {
  api.get(
    "/api/oidc/start",
    {
      config: { needs: "nothing", limit: "sign_in" },
      schema: {
        operationId: "startOidc",
        summary: "Redirect to the identity provider",
        refuses: [404],
        sends: ["Location", "Set-Cookie"],
        querystring: startQuery,
        response: { 302: noBody },
      },
      errorHandler: answerNavigation,
    },
    async (request, reply) => {
      client.requireProvider();
      const goal = { return_to: request.query.return_to, linking_session: null, confirming_session: null };
      try {
        return await reply.redirect(await client.startAttempt(request.db, reply, goal));
      } catch (error) {
        if (isNavigation(request)) return redirectWithError(request, reply, error, goal);
        throw providerUnavailable(request, error);
      }
    },
  );
}

function callbackRoute(api: Api, context: Context, client: OidcClient) {
  const { publicUrl } = context;
  api.get(
    "/api/oidc/callback",
    {
      config: { needs: "nothing", session: "optional" },
      schema: {
        operationId: "finishOidc",
        summary: "Finish signing in with the identity provider",
        refuses: [404],
        sends: ["Location", "Set-Cookie"],
        response: { 302: noBody },
      },
      errorHandler: answerNavigation,
    },
    async (request, reply) => {
      const provider = client.requireProvider();
      const address = new URL(client.callbackUrl());
      address.search = request.url.split("?").slice(1).join("?");
      const attemptSecret = request.cookies[attemptCookie.nameOn(publicUrl())];
      let attempt: TakenAttempt | undefined;
      try {
        attempt = await takeAttempt(request.db, attemptSecret, address.searchParams.get("state"));
        attemptCookie.clear(reply, publicUrl());
        if (attempt.isLate) throw new SignInError("expired", "the attempt is too old");
        const claims = await provider.identify(address, attempt);
        if (attempt.linking_session ?? attempt.confirming_session)
          await useClaimsInSession(request, claims, attempt);
        else await openSession(context, { request, reply, claims });
        return await reply.redirect(attempt.return_to);
      } catch (error) {
        return redirectWithError(request, reply, error, attempt);
      }
    },
  );
}

/** Links the identity to the user who started the attempt, or confirms that it is still them. */
async function useClaimsInSession(request: FastifyRequest, claims: Claims, attempt: TakenAttempt) {
  const startedBy = attempt.linking_session ?? attempt.confirming_session;
  // Another user may have signed in to this browser since.
  if (!startedBy || !request.session?.id_hash.equals(startedBy))
    throw new SignInError("expired", "the session that started the attempt has ended");
  if (attempt.linking_session) await linkIdentity(request.db, claims, request.session.user_id);
  else await confirmSignIn(request.db, claims, request.session);
}

type SignIn = { request: FastifyRequest; reply: FastifyReply; claims: Claims };

async function openSession(
  { config: { oidc, mail }, publicUrl }: Context,
  { request, reply, claims }: SignIn,
) {
  const { secret, device } = await signInByIdentity(request.db, claims, {
    trustEmail: oidc?.trustEmail ?? false,
    sendsMail: mail !== undefined,
    browser: browserOf(request, publicUrl()),
  });
  setSessionCookie(reply, publicUrl(), secret);
  setDeviceCookie(reply, publicUrl(), device);
  reply.setCookie(NEW_SESSION, "1", {
    path: "/",
    sameSite: "lax",
    secure: publicUrl().startsWith("https:"),
    maxAge: NEW_SESSION_SECONDS,
  });
}

/** Until the page that the redirect leads to has loaded. */
const NEW_SESSION_SECONDS = 600;
