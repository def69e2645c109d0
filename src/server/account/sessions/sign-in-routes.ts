import { profileAnswer } from "../../../shared/people.ts";
import { signInBody, signInRefusedAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import {
  browserOf,
  clearSessionCookie,
  closeSession,
  setDeviceCookie,
  setSessionCookie,
} from "../../access/sessions.ts";
import { countSignIn } from "../../access/count-sign-in.ts";
import { noBody } from "../../answers/operation.ts";
import { readProfile } from "../profile/read-profile.ts";
import { signIn } from "./sign-in.ts";

export function sessionRoutes(api: Api, { limiter, config, publicUrl }: Context) {
  api.post(
    "/api/session",
    {
      config: { needs: "nothing", limit: "sign_in" },
      schema: {
        operationId: "signIn",
        summary: "Sign in",
        sends: ["Set-Cookie"],
        body: signInBody,
        response: { 200: profileAnswer, 401: signInRefusedAnswer },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await countSignIn({ limiter, limits: config.limits }, request, email);
      const { userId, secret, device } = await signIn(
        request.db,
        request.body,
        browserOf(request, publicUrl()),
        {
          sendsMail: config.mail !== undefined,
        },
      );
      setSessionCookie(reply, publicUrl(), secret);
      setDeviceCookie(reply, publicUrl(), device);
      return readProfile(request.db, userId);
    },
  );

  api.delete(
    "/api/session",
    {
      config: { needs: "session" },
      schema: {
        operationId: "signOut",
        summary: "Sign out",
        sends: ["Set-Cookie"],
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      if (request.caller.kind === "session") await closeSession(request.db, request.caller.id_hash);
      clearSessionCookie(reply, publicUrl());
      return reply.code(204).send();
    },
  );
}
