import { linkAnswer, linkBody } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { readAccount, requireCurrentPassword } from "../../access/current-password.ts";
import { forbidden } from "../../answers/errors.ts";
import type { OidcClient } from "./oidc-client.ts";
import { providerUnavailable } from "./failures.ts";

/** Requires the password or a fresh sign-in: a stolen session must not add a lasting way to sign in. */
export function linkRoute(api: Api, { limiter, config: { limits } }: Context, client: OidcClient) {
  api.post(
    "/api/profile/identities",
    {
      config: { needs: "session", limit: "sign_in" },
      schema: {
        operationId: "linkIdentity",
        summary: "Start linking an identity",
        description:
          "Send the browser to the address in the response. It comes back to `return_to`, with `error` in the query if linking failed.",
        refuses: [404],
        sends: ["Set-Cookie"],
        body: linkBody,
        response: { 200: linkAnswer },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      if (caller.kind !== "session") throw forbidden("Only a browser session may link an identity.");
      client.requireProvider();
      const { current_password, return_to = "/" } = request.body;
      const account = await readAccount(request.db, caller.user_id);
      await requireCurrentPassword({ db: request.db, limiter, limits }, account, caller, current_password);
      try {
        const goal = { return_to, linking_session: caller.id_hash, confirming_session: null };
        return { authorization_url: await client.startAttempt(request.db, reply, goal) };
      } catch (error) {
        throw providerUnavailable(request, error);
      }
    },
  );
}
