import { profileAnswer, profileBody } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { readAccount, requireCurrentPassword } from "../../access/current-password.ts";
import { forbidden } from "../../answers/errors.ts";
import { readProfile } from "./read-profile.ts";
import { updateProfile } from "./update-profile.ts";

export function profileRoutes(api: Api, { limiter, config: { limits, mail } }: Context) {
  api.get(
    "/api/profile",
    {
      config: { needs: "caller", area: "any" },
      schema: {
        operationId: "readProfile",
        summary: "Read the caller's profile",
        response: { 200: profileAnswer },
      },
    },
    (request) => readProfile(request.db, request.caller.user_id),
  );

  api.patch(
    "/api/profile",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "updateProfile",
        summary: "Update the caller's profile",
        description:
          "A changed email address takes effect when the link that is emailed to it is opened; until then it is the `pending_email`. The response is the same whether or not another account has it. Without a mail server it takes effect at once and is unverified.",
        body: profileBody,
        response: { 200: profileAnswer },
      },
    },
    async (request) => {
      const { caller, body } = request;
      const { current_password, ...changes } = body;
      if (changes.email !== undefined) {
        // Password resets go to the address, so neither a token nor a stolen session may change it.
        if (caller.kind !== "session")
          throw forbidden("Only a browser session may change the email address.");
        const account = await readAccount(request.db, caller.user_id);
        if (changes.email !== account.email)
          await requireCurrentPassword(
            { db: request.db, limiter, limits },
            account,
            caller,
            current_password,
          );
      }
      return updateProfile(request.db, caller.user_id, changes, { sendsMail: mail !== undefined });
    },
  );
}
