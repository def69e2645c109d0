import { issueWatchAnswer, watchBody } from "../../../shared/notifications.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { isWatching, toggleWatch } from "../../inform/watches/toggle-watch.ts";
import { loadIssue } from "./load-issue.ts";

export function issueWatchRoutes(api: Api, { outside }: Context) {
  const watch = "/api/projects/:projectId/issues/:issueId/watch";
  const config = READING.issue;
  const preValidation = loadIssue(api, outside);

  api.get(
    watch,
    {
      config,
      schema: {
        operationId: "readIssueWatch",
        summary: "Read whether the caller watches an issue",
        response: { 200: issueWatchAnswer },
      },
      preValidation,
    },
    async (request) => ({
      watching: await isWatching(request.db, { kind: "issue", id: request.issue.id }, request.caller.user_id),
    }),
  );

  api.post(
    watch,
    {
      config,
      schema: {
        operationId: "toggleIssueWatch",
        summary: "Toggle watching an issue",
        response: { 200: issueWatchAnswer },
      },
      preValidation,
    },
    async ({ db, project, issue, caller }) => ({
      watching: await toggleWatch(db, project, {
        watched: { kind: "issue", id: issue.id },
        userId: caller.user_id,
      }),
    }),
  );

  api.put(
    watch,
    {
      config,
      schema: {
        operationId: "setIssueWatch",
        summary: "Set whether the caller watches an issue",
        body: watchBody,
        response: { 200: issueWatchAnswer },
      },
      preValidation,
    },
    async ({ db, project, issue, caller, body }) => ({
      watching: await toggleWatch(db, project, {
        watched: { kind: "issue", id: issue.id },
        userId: caller.user_id,
        wanted: body.watching,
      }),
    }),
  );
}
