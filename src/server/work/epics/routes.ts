import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { epicAnswer, epicBody, epicChanges, epicFilters } from "../../../shared/epics.ts";
import type { Api, Context } from "../../access/context.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../../access/send-csv.ts";
import { READING } from "../../access/readable-kinds.ts";
import { listFormat, MAX_PAGE, pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { removeDeletedFilesNow } from "../../files/storage/remove-deleted-files.ts";
import { createEpic, deleteEpic, listEpics, readEpic, updateEpic } from "./epics.ts";

const epics = "/api/projects/:projectId/epics";
const epic = `${epics}/:epicId`;
const read = READING.epic;
const epicId = (request: FastifyRequest) => childId(request, "epicId", "There is no such epic.");
// Runs before validation, so that an unknown epic is 404 even when the body is invalid.
const requireEpic = async (request: FastifyRequest) => {
  await readEpic(request.db, request.project.id, epicId(request));
};

export function epicRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api, context);
}

function listRoutes(api: Api, { uploads }: Context) {
  api.get(
    epics,
    {
      config: read,
      schema: {
        operationId: "listEpics",
        summary: "List a project's epics",
        querystring: epicFilters.extend(pageQuery.shape).extend(listFormat.shape),
        response: { 200: listOrCsv(pageOf(epicAnswer)) },
      },
    },
    (request, reply) => {
      const { project, caller, query } = request;
      if (query.format === "json") return listEpics(request.db, project.id, caller.user_id, query);
      return sendCsv(request, reply, uploads, {
        name: "epics",
        fields: fieldsOf(epicAnswer),
        readPage: (db, cursor) =>
          listEpics(db, project.id, caller.user_id, { ...query, limit: MAX_PAGE, cursor }),
      });
    },
  );

  api.post(
    epics,
    {
      config: { needs: "epics:create", area: "issues" },
      schema: {
        operationId: "createEpic",
        summary: "Create an epic",
        body: epicBody,
        response: { 201: epicAnswer },
      },
    },
    async (request, reply) => {
      const { project, caller, body } = request;
      return reply.code(201).send(await createEpic(request.db, project, caller.user_id, body));
    },
  );
}

function itemRoutes(api: Api, { outside, storage }: Context) {
  api.get(
    epic,
    {
      config: read,
      schema: { operationId: "readEpic", summary: "Read an epic", response: { 200: epicAnswer } },
    },
    (request) => readEpic(request.db, request.project.id, epicId(request)),
  );

  api.patch(
    epic,
    {
      config: { needs: "epics:update", area: "issues" },
      schema: {
        operationId: "updateEpic",
        summary: "Change an epic",
        body: epicChanges,
        response: { 200: epicAnswer },
      },
      preValidation: requireEpic,
    },
    (request) => updateEpic(request.db, request.project, epicId(request), request.body),
  );

  api.delete(
    epic,
    {
      config: { needs: "epics:delete", area: "issues" },
      schema: { operationId: "deleteEpic", summary: "Delete an epic", response: { 204: noBody } },
    },
    async (request, reply) => {
      await deleteEpic(request.db, request.project.id, epicId(request), request.caller.user_id);
      await removeDeletedFilesNow(outside, storage, request.log);
      return reply.code(204).send();
    },
  );
}
