import { type Page, pageOf } from "../../../shared/answers.ts";
import { type Identity, identityAnswer } from "../../../shared/sign-in.ts";
import { sessionOf } from "../../access/admission.ts";
import type { Api } from "../../access/context.ts";
import { readAccount, requireFreshSignIn } from "../../access/current-password.ts";
import { type PageQuery, pageQuery, readPage } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import type { Db } from "../../db/connect.ts";
import { requireIdentity, unlinkIdentity } from "./unlink-identity.ts";

/** Identities at identity providers, for browser sessions only, like passwords. */
export function identityRoutes(api: Api) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/profile/identities",
    {
      config,
      schema: {
        operationId: "listIdentities",
        summary: "List the caller's linked identities",
        querystring: pageQuery,
        response: { 200: pageOf(identityAnswer) },
      },
    },
    (request) => listIdentities(request.db, request.caller.user_id, request.query),
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
      const { password_hash } = await readAccount(request.db, request.caller.user_id);
      const identityId = childId(request, "identityId");
      await requireIdentity(request.db, request.caller.user_id, identityId);
      if (password_hash === null) await requireFreshSignIn(request.db, sessionOf(request.caller));
      await unlinkIdentity(request.db, request.caller.user_id, identityId);
      return reply.code(204).send();
    },
  );
}

function listIdentities(db: Db, userId: number, query: PageQuery): Promise<Page<Identity>> {
  const rows = db
    .selectFrom("identities")
    .select(["id", "issuer", "email", "created_at", "last_used_at"])
    .where("user_id", "=", userId);
  return readPage(rows, query, "id");
}
