import { personalTokenBody } from "../../shared/people.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { pathId } from "../http/validation.ts";
import { createPersonalToken, deletePersonalToken, listPersonalTokens } from "./personal-tokens.ts";

/** Managed by a browser session only: a token cannot make tokens (decisions.md 6). */
export function personalTokenRoutes(api: Api, { database: { db } }: Context) {
  const config = { needs: "session" } as const;

  api.get("/api/profile/tokens", { config, schema: { querystring: pageQuery } }, (request) =>
    listPersonalTokens(db, request.caller.user_id, request.query),
  );

  api.post("/api/profile/tokens", { config, schema: { body: personalTokenBody } }, async (request, reply) =>
    reply.code(201).send(await createPersonalToken(db, request.caller.user_id, request.body)),
  );

  api.delete<{ Params: { tokenId: string } }>(
    "/api/profile/tokens/:tokenId",
    { config },
    async (request, reply) => {
      await deletePersonalToken(db, request.caller.user_id, pathId(request.params.tokenId));
      return reply.code(204).send();
    },
  );
}
