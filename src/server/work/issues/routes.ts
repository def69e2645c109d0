import { pageOf } from "../../../shared/answers.ts";
import {
  issueActivityAnswer,
  issueAnswer,
  issueBody,
  issueChanges,
  issueFilters,
  issueMove,
  sprintAssignment,
  sprintAssignmentAnswer,
} from "../../../shared/issues.ts";
import type { Api, Context } from "../../access/context.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../../access/send-csv.ts";
import { READING } from "../../access/readable-kinds.ts";
import { listFormat, MAX_PAGE, pageQuery } from "../../answers/page.ts";
import { noBody } from "../../answers/operation.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { listIssueActivity } from "./list-activity.ts";
import { assignSprint } from "./assign-sprint.ts";
import { createIssue } from "./create-issue.ts";
import { deleteIssue } from "./delete-issue.ts";
import { listAllIssues, listIssues } from "./list-issues.ts";
import { moveIssue } from "./move-issue.ts";
import { loadIssue } from "./load-issue.ts";
import { readIssue, readNamedIssue } from "./read-issue.ts";
import { updateIssue } from "./update-issue.ts";

const issues = "/api/projects/:projectId/issues";
const issue = `${issues}/:issueId`;
const read = READING.issue;
const update = { needs: "issues:update", area: "issues" } as const;
const listQuery = issueFilters.extend(pageQuery.shape).extend(listFormat.shape);
const csvOfIssues = { name: "issues", fields: fieldsOf(issueAnswer) };

/** A path names an issue by its id or by its key, `WEB-12`. */
export function issueRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api);
  changeRoutes(api, context);
  planningRoutes(api, context);
}

function listRoutes(api: Api, { uploads }: Context) {
  api.get(
    "/api/issues",
    {
      config: { needs: "caller", area: "issues" },
      schema: {
        operationId: "listAllIssues",
        summary: "List the issues of all accessible projects",
        querystring: listQuery,
        response: { 200: listOrCsv(pageOf(issueAnswer)) },
      },
    },
    (request, reply) => {
      const { caller, query } = request;
      if (query.format === "json") return listAllIssues(request.db, caller, query);
      return sendCsv(request, reply, uploads, {
        ...csvOfIssues,
        readPage: (db, cursor) => listAllIssues(db, caller, { ...query, limit: MAX_PAGE, cursor }),
      });
    },
  );

  api.get(
    issues,
    {
      config: read,
      schema: {
        operationId: "listIssues",
        summary: "List a project's issues",
        querystring: listQuery,
        response: { 200: listOrCsv(pageOf(issueAnswer)) },
      },
    },
    (request, reply) => {
      const { project, caller, query } = request;
      if (query.format === "json") return listIssues(request.db, project.id, caller.user_id, query);
      return sendCsv(request, reply, uploads, {
        ...csvOfIssues,
        readPage: (db, cursor) =>
          listIssues(db, project.id, caller.user_id, { ...query, limit: MAX_PAGE, cursor }),
      });
    },
  );
}

function itemRoutes(api: Api) {
  api.post(
    issues,
    {
      config: { needs: "issues:create", area: "issues" },
      schema: {
        operationId: "createIssue",
        summary: "Create an issue",
        body: issueBody,
        response: { 201: issueAnswer },
      },
    },
    async (request, reply) => {
      const { project, caller, body } = request;
      const created = await request.db.transaction().execute(async (tx) => {
        const id = await createIssue(tx, project, caller.user_id, body);
        return readIssue(tx, project.id, id, caller.user_id);
      });
      return reply.code(201).send(created);
    },
  );

  api.get(
    issue,
    {
      config: read,
      schema: { operationId: "readIssue", summary: "Read an issue", response: { 200: issueAnswer } },
    },
    (request) => {
      const { issueId } = request.params as { issueId: string };
      return readNamedIssue(request.db, request.project, issueId, request.caller.user_id);
    },
  );
}

function changeRoutes(api: Api, { outside, storage }: Context) {
  const preValidation = loadIssue(api, outside);

  api.patch(
    issue,
    {
      config: update,
      schema: {
        operationId: "updateIssue",
        summary: "Change an issue",
        body: issueChanges,
        response: { 200: issueAnswer },
      },
      preValidation,
    },
    (request) =>
      updateIssue(request.db, request.project, {
        issueId: request.issue.id,
        actorId: request.caller.user_id,
        body: request.body,
      }),
  );

  api.delete(
    issue,
    {
      config: { needs: "issues:delete", area: "issues" },
      schema: { operationId: "deleteIssue", summary: "Delete an issue", response: { 204: noBody } },
      preValidation,
    },
    async (request, reply) => {
      await deleteIssue(request.db, request.project.id, request.issue.id, request.caller.user_id);
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}

function planningRoutes(api: Api, { outside }: Context) {
  const preValidation = loadIssue(api, outside);

  api.post(
    `${issue}/move`,
    {
      config: update,
      schema: {
        operationId: "moveIssue",
        summary: "Move an issue within its lane or to another lane",
        body: issueMove,
        response: { 200: issueAnswer },
      },
      preValidation,
    },
    (request) =>
      moveIssue(request.db, request.project, {
        issueId: request.issue.id,
        actorId: request.caller.user_id,
        move: request.body,
      }),
  );

  api.post(
    `${issues}/assign-sprint`,
    {
      config: update,
      schema: {
        operationId: "assignSprint",
        summary: "Add issues to a sprint, or remove them from theirs",
        body: sprintAssignment,
        response: { 200: sprintAssignmentAnswer },
      },
    },
    (request) => assignSprint(request.db, request.project, request.caller.user_id, request.body),
  );

  api.get(
    `${issue}/activity`,
    {
      config: read,
      schema: {
        operationId: "listIssueActivity",
        summary: "List the changes of an issue, oldest first",
        querystring: pageQuery,
        response: { 200: pageOf(issueActivityAnswer) },
      },
      preValidation,
    },
    (request) => listIssueActivity(request.db, request.issue.id, request.query),
  );
}
