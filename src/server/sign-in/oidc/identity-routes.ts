import { pageOf } from "../../../shared/answers.ts";
import { identityAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { listIdentities, unlinkIdentity } from "./identities.ts";

/** Who the account is at identity providers; like passwords, managed by a browser session only. */
export function identityRoutes(api: Api, { database: { db } }: Context) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/profile/identities",
    {
      config,
      schema: {
        operationId: "listIdentities",
        summary: "List who the caller is at identity providers",
        querystring: pageQuery,
        response: { 200: pageOf(identityAnswer) },
      },
    },
    (request) => listIdentities(db, request.caller.user_id, request.query),
  );

  api.delete(
    "/api/profile/identities/:identityId",
    {
      config,
      schema: {
        operationId: "unlinkIdentity",
        summary: "Unlink an identity",
        refuses: [422],
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await unlinkIdentity(db, request.caller.user_id, childId(request, "identityId"));
      return reply.code(204).send();
    },
  );
}
