import type { FastifyRequest } from "fastify";
import {
  bulkAssignBody,
  errorGroupActivityAnswer,
  errorGroupChanges,
  linkBody,
  unlinkQuery,
} from "../../../shared/error-group-work.ts";
import { bulkStatusAnswer, errorGroupAnswer } from "../../../shared/error-groups.ts";
import { issueWatchAnswer, watchBody } from "../../../shared/notifications.ts";
import { pageOf } from "../../../shared/answers.ts";
import type { Api, Context } from "../../access/context.ts";
import { READING } from "../../access/readable-kinds.ts";
import { pageQuery } from "../../answers/page.ts";
import { requirePermission } from "../../access/project-access.ts";
import { isWatching, toggleWatch, type Watched } from "../../inform/watches/toggle-watch.ts";
import { assignErrorGroup, assignErrorGroups } from "./assign-groups.ts";
import { linkErrorGroup, unlinkErrorGroup } from "./link-group.ts";
import { listGroupActivity } from "./list-activity.ts";
import { groupIdIn, requireGroup } from "./require-group.ts";
import { requireErrorTracking } from "./require-error-tracking.ts";

/** Assignee, watches and history of error groups. */
export function errorGroupWorkRoutes(api: Api, context: Context) {
  const group = "/api/projects/:projectId/error-groups/:errorGroupId";
  assignRoutes(api, context, group);

  api.get(
    `${group}/activity`,
    {
      config: READING.error_group,
      schema: {
        operationId: "listErrorGroupActivity",
        summary: "List what happened to an error group, oldest first",
        querystring: pageQuery,
        response: { 200: pageOf(errorGroupActivityAnswer) },
      },
      preValidation: requireGroup(context.outside),
    },
    (request) => listGroupActivity(request.db, groupIdIn(request), request.query),
  );

  linkRoutes(api, context, `${group}/link`);
  watchRoutes(api, context, `${group}/watch`);
}

function assignRoutes(api: Api, { outside }: Context, group: string) {
  api.patch(
    group,
    {
      config: { needs: "error-groups:update", feature: "error_tracking", area: "errors" },
      schema: {
        operationId: "updateErrorGroup",
        summary: "Change the assignee of an error group",
        body: errorGroupChanges,
        response: { 200: errorGroupAnswer },
      },
      preValidation: requireGroup(outside),
    },
    (request) => {
      const { project, caller, body } = request;
      const id = groupIdIn(request);
      const by = { userId: caller.user_id, changeId: body.change_id };
      return assignErrorGroup(request.errorDb, project, {
        groupId: id,
        assigneeId: body.assignee_id,
        by,
      });
    },
  );

  api.post(
    "/api/error-groups/bulk-assign",
    {
      config: { needs: "caller", area: "errors" },
      onRequest: requireErrorTracking(outside),
      schema: {
        operationId: "assignErrorGroups",
        summary: "Change the assignee of many error groups",
        description:
          "Ids that are unknown, that the caller may not change, or whose project the assignee cannot access, are returned in `refused_ids` without a reason.",
        body: bulkAssignBody,
        response: { 200: bulkStatusAnswer },
      },
    },
    ({ errorDb, caller, body }) =>
      assignErrorGroups(errorDb, caller, {
        ids: body.error_group_ids,
        assigneeId: body.assignee_id,
        changeId: body.change_id,
      }),
  );
}

function linkRoutes(api: Api, context: Context, link: string) {
  const { outside } = context;
  const config = { needs: "error-groups:update", feature: "error_tracking", area: "errors" } as const;
  const preValidation = requireGroup(outside);
  const mayReadIssues = async ({ access }: FastifyRequest) => requirePermission(access, READING.issue.needs);

  api.post(
    link,
    {
      config,
      onRequest: mayReadIssues,
      schema: {
        operationId: "linkErrorGroup",
        summary: "Link an error group to an existing issue",
        description:
          "`issue` is the id or key of an issue of the project. Linking to the same issue again changes nothing; 409 if the group is linked to another one. Also requires the permission `issues:read`.",
        refuses: [409],
        body: linkBody,
        response: { 200: errorGroupAnswer },
      },
      preValidation,
    },
    (request) => {
      const { project, caller, body } = request;
      const by = { userId: caller.user_id, changeId: body.change_id };
      return linkErrorGroup(request.errorDb, project, {
        groupId: groupIdIn(request),
        issue: body.issue,
        by,
      });
    },
  );

  api.delete(
    link,
    {
      config,
      onRequest: mayReadIssues,
      schema: {
        operationId: "unlinkErrorGroup",
        summary: "End the link between an error group and its issue",
        description:
          "Also requires the permission `issues:read`. `delete_issue=true` also deletes the issue. This requires that promoting the error created it, and that nothing has happened to it since: no comment, no change, and no further report or error.",
        querystring: unlinkQuery,
        response: { 200: errorGroupAnswer },
      },
      preValidation,
    },
    (request) => {
      const { project, caller, query } = request;
      const by = { userId: caller.user_id, changeId: query.change_id };
      return unlinkErrorGroup(request.errorDb, project, {
        groupId: groupIdIn(request),
        delete_issue: query.delete_issue,
        by,
      });
    },
  );
}

function watchRoutes(api: Api, { outside }: Context, watch: string) {
  const { needs, feature, area } = READING.error_group;
  const config = { needs, feature, area };
  const preValidation = requireGroup(outside);
  const watchOf = (request: FastifyRequest) => ({
    watched: { kind: "error_group", id: groupIdIn(request) } satisfies Watched,
    userId: request.caller.user_id,
  });

  api.get(
    watch,
    {
      config,
      schema: {
        operationId: "readErrorGroupWatch",
        summary: "Read whether the caller watches an error group",
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
        operationId: "toggleErrorGroupWatch",
        summary: "Toggle watching an error group",
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
        operationId: "setErrorGroupWatch",
        summary: "Set whether the caller watches an error group",
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
