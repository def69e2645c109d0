import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { SignInMethods } from "../../shared/sign-in.ts";
import { signInMethodsAnswer } from "../../shared/sign-in.ts";
import type { Api, Context } from "../app.ts";
import { setSessionCookie } from "../auth/sessions.ts";
import { forbidden, HttpError, notFound, unauthorized } from "../http/errors.ts";
import { noBody } from "../openapi/operation.ts";
import { ATTEMPT_SECONDS, keepAttempt, newAttempt, takeAttempt } from "./attempts.ts";
import { openProvider } from "./provider.ts";
import { returnTo } from "./return-to.ts";
import { linkIdentity, signInByIdentity } from "./sign-in.ts";
import { SignInError } from "./sign-in-error.ts";

const startQuery = z.object({
  return_to: returnTo.default("/"),
  link: z.literal("1", "must be 1").optional(),
});

/** A browser's way to the identity provider and back; its answers are redirects. */
export function oidcRoutes(api: Api, { database: { db }, config: { oidc }, publicUrl }: Context) {
  const opened = oidc && { provider: openProvider(oidc), trustEmail: oidc.trustEmail };
  const configured = () => {
    if (!opened) throw notFound("No identity provider is set up.");
    return opened;
  };
  const callback = () => `${publicUrl()}/api/oidc/callback`;

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

  api.get(
    "/api/oidc/start",
    {
      config: { needs: "nothing", session: "optional", limit: "sign_in" },
      schema: {
        operationId: "startOidc",
        summary: "Go to the identity provider",
        refuses: [401, 403, 404],
        sends: ["Location", "Set-Cookie"],
        querystring: startQuery,
        response: { 302: noBody },
      },
    },
    async (request, reply) => {
      const { provider } = configured();
      const { return_to, link } = request.query;
      const linking_session = link === undefined ? null : linkingSession(request, publicUrl());
      const attempt = newAttempt({ return_to, linking_session });
      try {
        const address = await provider.authorizationUrl(attempt, callback());
        setAttemptCookie(reply, publicUrl(), await keepAttempt(db, attempt));
        return await reply.redirect(address);
      } catch (error) {
        if (!(error instanceof SignInError) || request.headers["sec-fetch-mode"] === "navigate")
          return goBack(request, reply, error);
        logFailure(request, error);
        throw new HttpError(503, AWAY, {}, { "retry-after": "30" });
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
    },
    async (request, reply) => {
      const { provider, trustEmail } = configured();
      const address = new URL(callback());
      address.search = request.url.split("?").slice(1).join("?");
      const secret = request.cookies[attemptCookieName(publicUrl())];
      try {
        const attempt = await takeAttempt(db, secret, address.searchParams.get("state"));
        clearAttemptCookie(reply, publicUrl());
        const claims = await provider.identify(address, attempt);
        if (attempt.linking_session) {
          // The person who asked for it, not whoever the browser belongs to by now.
          if (!request.session?.id_hash.equals(attempt.linking_session))
            throw new SignInError("expired", "the session that began to link has ended");
          await linkIdentity(db, claims, request.session.user_id);
        } else {
          const userAgent = request.headers["user-agent"];
          const session = await signInByIdentity(db, claims, { trustEmail, userAgent });
          setSessionCookie(reply, publicUrl(), session);
        }
        return await reply.redirect(attempt.return_to);
      } catch (error) {
        return goBack(request, reply, error);
      }
    },
  );
}

const AWAY = "The identity provider does not answer as it should. Try again later, or sign in by password.";

/** The session that may link. Else a site could have a browser link its own identity to the person's account. */
function linkingSession(request: FastifyRequest, publicUrl: string): Buffer {
  if (!request.session) throw unauthorized("Sign in before you link an identity.");
  const site = request.headers["sec-fetch-site"];
  const { referer = "" } = request.headers;
  const isFromHere = URL.canParse(referer) && new URL(referer).origin === publicUrl;
  if (site !== "same-origin" && !(site === undefined && isFromHere))
    throw forbidden("Linking an identity must begin in the app itself.");
  return request.session.id_hash;
}

function goBack(request: FastifyRequest, reply: FastifyReply, error: unknown) {
  if (!(error instanceof SignInError)) throw error;
  logFailure(request, error);
  return reply.redirect(`/sign-in?error=${error.code}`);
}

function logFailure(request: FastifyRequest, { code, reason }: SignInError) {
  request.log.warn({ code, reason }, "a sign-in by the identity provider failed");
}

const attemptCookieName = (publicUrl: string) =>
  publicUrl.startsWith("https:") ? "__Host-signalbox-oidc" : "signalbox-oidc";

/** Lax, so that it comes along when the provider sends the browser back. */
function setAttemptCookie(reply: FastifyReply, publicUrl: string, secret: string) {
  reply.setCookie(attemptCookieName(publicUrl), secret, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    maxAge: ATTEMPT_SECONDS,
  });
}

function clearAttemptCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(attemptCookieName(publicUrl), { path: "/", secure: publicUrl.startsWith("https:") });
}
