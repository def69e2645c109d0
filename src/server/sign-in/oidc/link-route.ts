import { linkAnswer, linkBody } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { readAccount, requireCurrentPassword } from "../../access/current-password.ts";
import { forbidden } from "../../answers/errors.ts";
import type { Door } from "./begin.ts";
import { providerAway } from "./failures.ts";

/** An identity is a further way in, for as long as it is linked: a stolen session must not make one. */
export function linkRoute(api: Api, { database: { db }, limiter, config: { limits } }: Context, door: Door) {
  api.post(
    "/api/profile/identities",
    {
      config: { needs: "session", limit: "sign_in" },
      schema: {
        operationId: "linkIdentity",
        summary: "Begin to link an identity",
        description:
          "The browser goes on to the address in the answer, and comes back to `return_to`; with `error` in its query when that came to nothing.",
        refuses: [404],
        sends: ["Set-Cookie"],
        body: linkBody,
        response: { 200: linkAnswer },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      if (caller.kind !== "session") throw forbidden("Only a browser session may link an identity.");
      door.provider();
      const { current_password, return_to = "/" } = request.body;
      const account = await readAccount(db, caller.user_id);
      await requireCurrentPassword({ limiter, limits }, account, current_password);
      try {
        const goal = { return_to, linking_session: caller.id_hash };
        return { authorization_url: await door.begin(reply, goal) };
      } catch (error) {
        throw providerAway(request, error);
      }
    },
  );
}
