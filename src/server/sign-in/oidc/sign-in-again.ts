import { sql } from "kysely";
import { linkAnswer, signInAgainBody } from "../../../shared/sign-in.ts";
import { sessionOf } from "../../access/admission.ts";
import type { Api } from "../../access/context.ts";
import type { SessionCaller } from "../../access/credential.ts";
import type { Db } from "../../db/connect.ts";
import type { Claims } from "./claims.ts";
import { providerUnavailable } from "./failures.ts";
import { useIdentity } from "./link-identity.ts";
import type { OidcClient } from "./oidc-client.ts";
import { SignInError } from "./sign-in-error.ts";

/** Without a password, a fresh sign-in confirms changes: a stolen session must not become the account. */
export function signInAgainRoute(api: Api, client: OidcClient) {
  api.post(
    "/api/profile/sign-in-again",
    {
      config: { needs: "session", limit: "sign_in" },
      schema: {
        operationId: "signInAgain",
        summary: "Start signing in again with the identity provider",
        description:
          "For ten minutes afterwards, an account without a password may change how it signs in. Send the browser to the address in the response. It comes back to `return_to`, with `error` in the query if that failed.",
        refuses: [404],
        sends: ["Set-Cookie"],
        body: signInAgainBody,
        response: { 200: linkAnswer },
      },
    },
    async (request, reply) => {
      client.requireProvider();
      const { return_to = "/" } = request.body;
      const { id_hash } = sessionOf(request.caller);
      try {
        const goal = { return_to, linking_session: null, confirming_session: id_hash };
        return { authorization_url: await client.startAttempt(request.db, reply, goal) };
      } catch (error) {
        throw providerUnavailable(request, error);
      }
    },
  );
}

/** Records when the provider authenticated the session's user. Throws SignInError if it was someone else. */
export async function confirmSignIn(db: Db, claims: Claims, session: SessionCaller): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await useIdentity(tx, claims)) !== session.user_id)
      throw new SignInError("wrong_identity", "the account does not have the identity");
    await tx
      .updateTable("sessions")
      .set({ provider_authenticated_at: sql`least(clock_timestamp(), to_timestamp(${claims.auth_time}))` })
      .where("id_hash", "=", session.id_hash)
      .execute();
  });
}
