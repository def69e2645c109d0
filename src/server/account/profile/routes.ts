import { profileAnswer, profileBody } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { requireCurrentPassword } from "../../access/current-password.ts";
import { forbidden } from "../../answers/errors.ts";
import { readProfile, updateProfile } from "./profile.ts";

export function profileRoutes(api: Api, { database: { db }, limiter, config: { limits } }: Context) {
  api.get(
    "/api/profile",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "readProfile",
        summary: "Read who the caller is",
        response: { 200: profileAnswer },
      },
    },
    (request) => readProfile(db, request.caller.user_id),
  );

  api.patch(
    "/api/profile",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "updateProfile",
        summary: "Change the caller's profile",
        body: profileBody,
        response: { 200: profileAnswer },
      },
    },
    async (request) => {
      const { caller, body } = request;
      const { current_password, ...changes } = body;
      if (changes.email !== undefined) {
        // The address can set a new password, so neither a token nor a stolen session must move it.
        if (caller.kind !== "session")
          throw forbidden("Only a browser session may change the e-mail address.");
        const { email } = await readProfile(db, caller.user_id);
        if (changes.email !== email)
          await requireCurrentPassword({ db, limiter, limits }, caller.user_id, current_password);
      }
      return updateProfile(db, caller.user_id, changes);
    },
  );
}
