import type { FastifyRequest } from "fastify";
import { issueWatchAnswer, watchBody } from "../../../shared/notifications.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { isWatching, toggleWatch, type Watched } from "../../inform/watches/toggle-watch.ts";
import { loadIssue } from "./load-issue.ts";

const watchOf = ({ issue, caller }: FastifyRequest) => ({
  watched: { kind: "issue", id: issue.id } satisfies Watched,
  userId: caller.user_id,
});

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
    async (request) => {
      const { watched, userId } = watchOf(request);
      return { watching: await isWatching(request.db, watched, userId) };
    },
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
    async (request) => ({ watching: await toggleWatch(request.db, request.project, watchOf(request)) }),
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
    async (request) => ({
      watching: await toggleWatch(request.db, request.project, {
        ...watchOf(request),
        wanted: request.body.watching,
      }),
    }),
  );
}
