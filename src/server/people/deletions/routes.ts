import { pageOf } from "../../../shared/answers.ts";
import { deletionAnswer } from "../../../shared/deletions.ts";
import type { Api, Context } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { listDeletions } from "./list-deletions.ts";

export function deletionRoutes(api: Api, { database: { db } }: Context) {
  api.get(
    "/api/deletions",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "listDeletions",
        summary: "List deletions of projects and workspaces with their progress, newest first",
        description:
          "The deletions that the caller requested, and those in workspaces that the caller administers.",
        querystring: pageQuery,
        response: { 200: pageOf(deletionAnswer) },
      },
    },
    (request) => listDeletions(db, request.caller.user_id, request.query),
  );
}
