import { changePasswordBody, forgotPasswordBody, resetPasswordBody } from "../../../shared/passwords.ts";
import type { Api, Context } from "../../access/context.ts";
import { readAccount, requireCurrentPassword } from "../../access/current-password.ts";
import { browserOf, setSessionCookie } from "../../access/sessions.ts";
import { sessionOf } from "../../access/admission.ts";
import { countSignIn } from "../../access/count-sign-in.ts";
import { noBody } from "../../answers/operation.ts";
import { changePassword } from "./change-password.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetPassword } from "./reset-password.ts";

export function passwordRoutes(api: Api, context: Context) {
  resetRoutes(api, context);
  changeRoute(api, context);
}

function resetRoutes(api: Api, { limiter, config }: Context) {
  const open = { needs: "nothing", limit: "sign_in" } as const;

  api.post(
    "/api/password/forgot",
    {
      config: open,
      schema: {
        operationId: "requestPasswordReset",
        summary: "Request a password reset link",
        description: "The response is the same whether or not an account has the address.",
        body: forgotPasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await countSignIn({ limiter, limits: config.limits }, request, email);
      await requestPasswordReset(request.db, email);
      return reply.code(204).send();
    },
  );

  api.post(
    "/api/password/reset",
    {
      config: open,
      schema: {
        operationId: "resetPassword",
        summary: "Set a new password with a reset link",
        description:
          "Ends all sessions and revokes the personal tokens made since the password was last set, or all of them with `revoke_tokens`.",
        body: resetPasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await resetPassword(request.db, request.body);
      return reply.code(204).send();
    },
  );
}

function changeRoute(api: Api, { limiter, config, publicUrl }: Context) {
  api.post(
    "/api/profile/password",
    {
      config: { needs: "session", limit: "sign_in" },
      schema: {
        operationId: "changePassword",
        summary: "Change the password",
        description: "Ends all other sessions.",
        sends: ["Set-Cookie"],
        body: changePasswordBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const { current_password, password } = request.body;
      const account = await readAccount(request.db, request.caller.user_id);
      const session = sessionOf(request.caller);
      await requireCurrentPassword(
        { db: request.db, limiter, limits: config.limits },
        account,
        session,
        current_password,
      );
      const secret = await changePassword(request.db, account, password, browserOf(request, publicUrl()));
      setSessionCookie(reply, publicUrl(), secret);
      return reply.code(204).send();
    },
  );
}
