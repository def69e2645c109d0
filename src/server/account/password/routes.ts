import { changePasswordBody, forgotPasswordBody, resetPasswordBody } from "../../../shared/passwords.ts";
import type { Api, Context } from "../../access/context.ts";
import { requireCurrentPassword } from "../../access/current-password.ts";
import { browserOf, setSessionCookie } from "../../access/sessions.ts";
import { noBody } from "../../answers/operation.ts";
import { changePassword } from "./change-password.ts";
import { requestPasswordReset } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

export function passwordRoutes(api: Api, { database: { db }, limiter, config, publicUrl }: Context) {
  const open = { needs: "nothing", limit: "sign_in" } as const;

  api.post(
    "/api/password/forgot",
    {
      config: open,
      schema: {
        operationId: "requestPasswordReset",
        summary: "Ask for a link to a new password",
        description: "The answer is the same whether anybody has the address.",
        body: forgotPasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      // The guard has counted the client; this counts the account, together with tries to sign in to it.
      await limiter.require(`sign_in:to:${email.toLowerCase()}`, config.limits.sign_in);
      await requestPasswordReset(db, email);
      return reply.code(204).send();
    },
  );

  api.post(
    "/api/password/reset",
    {
      config: open,
      schema: {
        operationId: "resetPassword",
        summary: "Set a new password by the link",
        body: resetPasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await resetPassword(db, request.body.token, request.body.password);
      return reply.code(204).send();
    },
  );

  api.post(
    "/api/profile/password",
    {
      config: { needs: "session", limit: "sign_in" },
      schema: {
        operationId: "changePassword",
        summary: "Change the password",
        description: "Ends every other session.",
        sends: ["Set-Cookie"],
        body: changePasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { current_password, password } = request.body;
      const userId = request.caller.user_id;
      const proof = { db, limiter, limits: config.limits };
      const before = await requireCurrentPassword(proof, userId, current_password);
      const browser = browserOf(request, publicUrl());
      const secret = await changePassword(db, { userId, before, password, browser });
      setSessionCookie(reply, publicUrl(), secret);
      return reply.code(204).send();
    },
  );
}
