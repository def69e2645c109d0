import { pageOf } from "../../../shared/answers.ts";
import { deletionAnswer } from "../../../shared/deletions.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { listDeletions } from "./list-deletions.ts";
import { restoreDeletion } from "./restore-deletion.ts";

export function deletionRoutes(api: Api) {
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
    (request) => listDeletions(request.db, request.caller.user_id, request.query),
  );

  api.post(
    "/api/deletions/:deletionId/restore",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "restoreDeletion",
        summary: "Restore a deleted project or workspace",
        description:
          "Within 24 hours, with everything in it and everybody's access as it was. For administrators of the workspace, and for the person who deleted it. A workspace requires a browser session. Returns the deletion as it was.",
        refuses: [403, 422],
        response: { 200: deletionAnswer },
      },
    },
    (request) =>
      restoreDeletion(
        request.db,
        request.caller,
        childId(request, "deletionId", "There is no such deletion."),
      ),
  );
}
