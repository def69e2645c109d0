import { confirmAddressBody, profileAnswer } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { readProfile } from "./read-profile.ts";
import { confirmByLink } from "./confirm-by-link.ts";
import { requestAnotherLink } from "./request-another-link.ts";
import type { Db } from "../../db/connect.ts";

/** Confirming an email address, in a browser session of the account: the reader of the address may be a stranger. */
export function addressRoutes(api: Api, { limiter, config: { limits, mail } }: Context) {
  const path = "/api/profile/email-confirmation";
  const config = { needs: "session", limit: "sign_in" } as const;

  api.post(
    path,
    {
      config,
      schema: {
        operationId: "sendConfirmation",
        summary: "Email the link to confirm an address again",
        description:
          "To the `pending_email`, or to an unverified `email`. At most 5 such emails are sent to an address within an hour.",
        refuses: [422],
        response: { 204: noBody },
      },
    },
    async ({ db, caller }, reply) => {
      await limiter.require(`email_confirmation:${caller.user_id}`, limits.sign_in);
      await requestAnotherLink(db, caller.user_id, { sendsMail: mail !== undefined });
      return reply.code(204).send();
    },
  );

  api.delete(
    path,
    {
      config: { needs: "session" },
      schema: {
        operationId: "cancelEmailChange",
        summary: "Cancel a pending change of the email address",
        response: { 204: noBody },
      },
    },
    async ({ db, caller }, reply) => {
      await cancelConfirmation(db, caller.user_id);
      return reply.code(204).send();
    },
  );

  api.post(
    `${path}/confirm`,
    {
      config,
      schema: {
        operationId: "confirmEmail",
        summary: "Confirm an email address with the emailed link",
        description: "Requires a browser session of the account that the link was requested for.",
        body: confirmAddressBody,
        response: { 200: profileAnswer },
      },
    },
    async ({ db, caller, body }) => {
      await confirmByLink(db, caller.user_id, body.token);
      return readProfile(db, caller.user_id);
    },
  );
}

/** Voids the link, so that the address stays as it is. */
async function cancelConfirmation(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
}
