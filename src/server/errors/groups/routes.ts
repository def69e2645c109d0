import type { FastifyRequest } from "fastify";
import {
  allErrorGroupsQuery,
  bulkStatusAnswer,
  bulkStatusBody,
  errorGroupAnswer,
  errorGroupListAnswer,
  errorGroupListItemAnswer,
  errorGroupListQuery,
  IGNORED,
  MAX_GROUPS,
  OPEN,
  RESOLVED,
  resolveBody,
  undoneChangeAnswer,
} from "../../../shared/error-groups.ts";
import { errorTagsAnswer } from "../../../shared/kept-events.ts";
import { ignoreBody, promoteGroupBody, reopenBody, undoBody } from "../../../shared/error-group-work.ts";
import { requireFeature } from "../../access/admission.ts";
import type { Api, Context } from "../../access/context.ts";
import { requirePermission } from "../../access/project-access.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../../access/send-csv.ts";
import { READING } from "../../access/readable-kinds.ts";
import { listFormat } from "../../answers/page.ts";
import { childId, pathId } from "../../answers/validation.ts";
import { listAllErrorTags, listErrorTags } from "./list-error-tags.ts";
import { listAllErrorGroups, listErrorGroups } from "./list-groups.ts";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { ErrorDb } from "./error-db.ts";
import { promoteErrorGroup } from "./promote-group.ts";
import { noSuchGroup, readErrorGroup } from "./read-group.ts";
import { requireErrorTracking } from "./require-error-tracking.ts";
import { setErrorGroupsStatus, setErrorGroupStatus, type StatusChange } from "./set-status.ts";
import { undoChange } from "./undo-change.ts";

type GroupPath = { Params: { errorGroupId: string } };

const feature = "error_tracking" as const;
const read = READING.error_group;
const update = { needs: "error-groups:update", feature, area: "errors" } as const;
const csvOfGroups = { name: "error-groups", fields: fieldsOf(errorGroupListItemAnswer) };
const groups = "/api/projects/:projectId/error-groups";
const groupId = (params: { errorGroupId: string }) => pathId(params.errorGroupId, noSuchGroup().message);

/** Reads the frames of a group's newest event with their original code. */
export type ReadFrames = (
  errorDb: ErrorDb,
  group: { projectId: number; groupId: number },
) => Promise<readonly KeptFrame[]>;

export function errorGroupRoutes(api: Api, context: Context, readFrames: ReadFrames) {
  listRoutes(api, context);
  tagRoutes(api, context);
  itemRoutes(api);
  statusRoutes(api);
  promotionRoutes(api, context, readFrames);
  bulkRoutes(api, context);
}

function listRoutes(api: Api, context: Context) {
  const { outside, uploads } = context;
  const needsErrorTracking = requireErrorTracking(outside);

  api.get(
    "/api/error-groups",
    {
      config: { needs: "caller", projectToken: "read", area: "errors" },
      onRequest: needsErrorTracking,
      schema: {
        operationId: "listAllErrorGroups",
        summary: "List the error groups of all accessible projects",
        querystring: allErrorGroupsQuery.extend(listFormat.shape),
        response: { 200: listOrCsv(errorGroupListAnswer) },
      },
    },
    (request, reply) => {
      const { errorDb, caller, query } = request;
      if (query.format === "json") return listAllErrorGroups(errorDb, caller, query);
      return sendCsv(request, reply, uploads, {
        ...csvOfGroups,
        readPage: (db, cursor) =>
          listAllErrorGroups({ ...errorDb, db }, caller, { ...query, limit: MAX_GROUPS, cursor }),
      });
    },
  );

  api.get(
    groups,
    {
      config: read,
      schema: {
        operationId: "listErrorGroups",
        summary: "List a project's error groups, most recently seen first",
        querystring: errorGroupListQuery.extend(listFormat.shape),
        response: { 200: listOrCsv(errorGroupListAnswer) },
      },
    },
    (request, reply) => {
      const { errorDb, project, caller, query } = request;
      if (query.format === "json") return listErrorGroups(errorDb, project.id, caller.user_id, query);
      return sendCsv(request, reply, uploads, {
        ...csvOfGroups,
        readPage: (db, cursor) =>
          listErrorGroups({ ...errorDb, db }, project.id, caller.user_id, {
            ...query,
            limit: MAX_GROUPS,
            cursor,
          }),
      });
    },
  );
}

function tagRoutes(api: Api, context: Context) {
  const { outside } = context;
  const needsErrorTracking = requireErrorTracking(outside);

  api.get(
    "/api/error-groups/tags",
    {
      config: { needs: "caller", projectToken: "read", area: "errors" },
      onRequest: needsErrorTracking,
      schema: {
        operationId: "listAllErrorTags",
        summary: "List the tags of the newest events of all accessible projects",
        response: { 200: errorTagsAnswer },
      },
    },
    (request) => listAllErrorTags(request.errorDb, request.caller),
  );

  api.get(
    `${groups}/tags`,
    {
      config: read,
      schema: {
        operationId: "listErrorTags",
        summary: "List the tags of the newest events of a project's errors",
        response: { 200: errorTagsAnswer },
      },
    },
    (request) => listErrorTags(request.errorDb, [request.project.id]),
  );
}

function itemRoutes(api: Api) {
  api.get<GroupPath>(
    `${groups}/:errorGroupId`,
    {
      config: read,
      schema: {
        operationId: "readErrorGroup",
        summary: "Read an error group",
        response: { 200: errorGroupAnswer },
      },
    },
    (request) => readErrorGroup(request.errorDb, request.project.id, groupId(request.params)),
  );
}

function statusRoutes(api: Api) {
  const setStatus = (request: FastifyRequest, change: StatusChange, changeId: string | undefined) =>
    setErrorGroupStatus(
      request.errorDb,
      { projectId: request.project.id, id: childId(request, "errorGroupId", noSuchGroup().message) },
      change,
      { userId: request.caller.user_id, changeId },
    );

  api.post(
    `${groups}/:errorGroupId/resolve`,
    {
      config: update,
      schema: {
        operationId: "resolveErrorGroup",
        summary: "Resolve an error group, optionally in the next or in a named release",
        description:
          'With `in: "next_release"`, events of releases that the project has seen by now leave the group resolved, and the first event of a newer one opens it again. With `in: {"release": …}`, events of this release and of newer ones open it. Without `in`, events of any release but the group\'s `last_release` do. An event without a release always opens the group. `in` replaces an earlier resolution; without it, a resolved group stays as it is.',
        body: resolveBody,
        response: { 200: errorGroupAnswer },
      },
    },
    (request) => setStatus(request, { status: RESOLVED, in: request.body.in }, request.body.change_id),
  );

  api.post(
    `${groups}/:errorGroupId/ignore`,
    {
      config: update,
      schema: {
        operationId: "ignoreErrorGroup",
        summary: "Ignore an error group, optionally until something happens",
        description:
          "The snooze ends with the first condition of `until` that is met: the time `at`, so many `occurrences` or so many `users` since now, or an event of the `release` or a newer one. The group is then open again, and its watchers are notified. A new `until` replaces an earlier one; without it, the group is ignored for good.",
        body: ignoreBody,
        response: { 200: errorGroupAnswer },
      },
    },
    (request) => setStatus(request, { status: IGNORED, until: request.body.until }, request.body.change_id),
  );

  api.post(
    `${groups}/:errorGroupId/reopen`,
    {
      config: update,
      schema: {
        operationId: "reopenErrorGroup",
        summary: "Reopen an error group",
        body: reopenBody,
        response: { 200: errorGroupAnswer },
      },
    },
    (request) => setStatus(request, { status: OPEN }, request.body.change_id),
  );
}

function promotionRoutes(api: Api, context: Context, readFrames: ReadFrames) {
  api.post(
    `${groups}/:errorGroupId/promote`,
    {
      config: update,
      schema: {
        operationId: "promoteErrorGroup",
        summary: "Create an issue from an error group",
        description:
          "Without fields, the issue is of type Bug, has a high priority, and describes the error. `report_ids` also promotes reports to the issue, such as those that came with the error. This requires the permission `reports:update`, and the feature Reports. `template_id` takes the lane, the labels and the priority from an issue template of the project, puts its title before the issue's if it ends like a prefix (\"Checkout:\"), and its description after the issue's. This requires the permission `issues:read`.",
        body: promoteGroupBody,
        response: { 200: errorGroupAnswer },
      },
    },
    async (request) => {
      const { report_ids = [], template_id } = request.body;
      if (report_ids.length > 0) {
        requireFeature(request, "reports");
        requirePermission(request.access, "reports:update");
      }
      if (template_id !== undefined) requirePermission(request.access, READING.issue.needs);
      const id = childId(request, "errorGroupId", noSuchGroup().message);
      // Before the transaction, because reading source maps takes time.
      const frames =
        request.body.description === undefined
          ? await readFrames(request.errorDb, { projectId: request.project.id, groupId: id })
          : [];
      return promoteErrorGroup(request.errorDb, request.project, {
        groupId: id,
        actorId: request.caller.user_id,
        body: request.body,
        publicUrl: context.publicUrl(),
        frames,
      });
    },
  );
}

function bulkRoutes(api: Api, context: Context) {
  const { outside } = context;
  const needsErrorTracking = requireErrorTracking(outside);

  api.post(
    "/api/error-groups/bulk-status",
    {
      config: { needs: "caller", area: "errors" },
      onRequest: needsErrorTracking,
      schema: {
        operationId: "setErrorGroupsStatus",
        summary: "Change the status of many error groups",
        description:
          "Ids that are unknown, or that the caller may not change, are returned in `refused_ids` without a reason.",
        body: bulkStatusBody,
        response: { 200: bulkStatusAnswer },
      },
    },
    (request) =>
      setErrorGroupsStatus(request.errorDb, request.caller, request.body.error_group_ids, request.body),
  );

  api.post(
    "/api/error-groups/undo",
    {
      config: { needs: "caller", area: "errors" },
      onRequest: needsErrorTracking,
      schema: {
        operationId: "undoErrorGroupChange",
        summary: "Undo a change of error groups",
        description:
          "Changes of status, assignee and link can be undone for ten minutes by the person who made them, if their requests had a `change_id`. The groups are exactly what they were before, and their history does not mention the change. Groups whose status, assignee or link has changed again since are left as they are and returned in `refused`. 404 if there is no such change, or if it is already undone.",
        refuses: [404],
        body: undoBody,
        response: { 200: undoneChangeAnswer },
      },
    },
    (request) => undoChange(request.errorDb, request.caller, request.body.change_id),
  );
}
