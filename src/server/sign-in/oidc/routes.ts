import { z } from "zod";
import type { SignInMethods } from "../../../shared/sign-in.ts";
import { signInMethodsAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setSessionCookie } from "../../access/sessions.ts";
import { noBody } from "../../answers/operation.ts";
import { takeAttempt, type TakenAttempt } from "./attempts.ts";
import { attemptCookie, openDoor } from "./begin.ts";
import { answerNavigation, goBack, isNavigation, providerAway } from "./failures.ts";
import { linkRoute } from "./link-route.ts";
import { returnTo } from "../../../shared/return-to.ts";
import { linkIdentity, signInByIdentity } from "./sign-in.ts";
import { SignInError } from "./sign-in-error.ts";

const startQuery = z.object({ return_to: returnTo.default("/") });

/** A browser's way to the identity provider and back; its answers are redirects. */
export function oidcRoutes(api: Api, context: Context) {
  const {
    database: { db },
    config: { oidc },
    publicUrl,
  } = context;
  const trustEmail = oidc?.trustEmail ?? false;
  const door = openDoor(context);

  api.get(
    "/api/sign-in",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readSignInMethods",
        summary: "Read how one can sign in",
        response: { 200: signInMethodsAnswer },
      },
    },
    (): SignInMethods => ({
      password: true,
      oidc: oidc ? { name: oidc.name } : null,
    }),
  );

  linkRoute(api, context, door);

  api.get(
    "/api/oidc/start",
    {
      config: { needs: "nothing", limit: "sign_in" },
      schema: {
        operationId: "startOidc",
        summary: "Go to the identity provider",
        refuses: [404],
        sends: ["Location", "Set-Cookie"],
        querystring: startQuery,
        response: { 302: noBody },
      },
      errorHandler: answerNavigation,
    },
    async (request, reply) => {
      door.provider();
      const goal = { return_to: request.query.return_to, linking_session: null };
      try {
        return await reply.redirect(await door.begin(reply, goal));
      } catch (error) {
        if (isNavigation(request)) return goBack(request, reply, error, goal);
        throw providerAway(request, error);
      }
    },
  );

  api.get(
    "/api/oidc/callback",
    {
      config: { needs: "nothing", session: "optional" },
      schema: {
        operationId: "finishOidc",
        summary: "Come back from the identity provider",
        refuses: [404],
        sends: ["Location", "Set-Cookie"],
        response: { 302: noBody },
      },
      errorHandler: answerNavigation,
    },
    async (request, reply) => {
      const provider = door.provider();
      const address = new URL(door.callback());
      address.search = request.url.split("?").slice(1).join("?");
      const secret = request.cookies[attemptCookie.nameOn(publicUrl())];
      let attempt: TakenAttempt | undefined;
      try {
        attempt = await takeAttempt(db, secret, address.searchParams.get("state"));
        attemptCookie.clear(reply, publicUrl());
        if (attempt.isLate) throw new SignInError("expired", "the attempt is too old");
        const claims = await provider.identify(address, attempt);
        if (attempt.linking_session) {
          // The person who asked for it, not whoever the browser belongs to by now.
          if (!request.session?.id_hash.equals(attempt.linking_session))
            throw new SignInError("expired", "the session that began to link has ended");
          await linkIdentity(db, claims, request.session.user_id);
        } else {
          const browser = browserOf(request, publicUrl());
          const session = await signInByIdentity(db, claims, { trustEmail, browser });
          setSessionCookie(reply, publicUrl(), session);
        }
        return await reply.redirect(attempt.return_to);
      } catch (error) {
        return goBack(request, reply, error, attempt);
      }
    },
  );
}
