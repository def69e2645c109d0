import { z } from "zod";
import type { SignInMethods } from "../../../shared/sign-in.ts";
import { signInMethodsAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setDeviceCookie, setSessionCookie } from "../../access/sessions.ts";
import { noBody } from "../../answers/operation.ts";
import { takeAttempt, type TakenAttempt } from "./sign-in-attempts.ts";
import { attemptCookie, makeOidcClient } from "./oidc-client.ts";
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
  const {
    config: { oidc, mail },
    publicUrl,
  } = context;
  const trustEmail = oidc?.trustEmail ?? false;
  const client = makeOidcClient(context);

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

  linkRoute(api, context, client);
  signInAgainRoute(api, client);

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
        const startedBy = attempt.linking_session ?? attempt.confirming_session;
        if (startedBy) {
          // Another user may have signed in to this browser since.
          if (!request.session?.id_hash.equals(startedBy))
            throw new SignInError("expired", "the session that started the attempt has ended");
          if (attempt.linking_session) await linkIdentity(request.db, claims, request.session.user_id);
          else await confirmSignIn(request.db, claims, request.session);
        } else {
          const browser = browserOf(request, publicUrl());
          const { secret, device } = await signInByIdentity(request.db, claims, {
            trustEmail,
            sendsMail: mail !== undefined,
            browser,
          });
          setSessionCookie(reply, publicUrl(), secret);
          setDeviceCookie(reply, publicUrl(), device);
        }
        return await reply.redirect(attempt.return_to);
      } catch (error) {
        return redirectWithError(request, reply, error, attempt);
      }
    },
  );
}
