import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import {
  issueTemplateAnswer,
  issueTemplateBody,
  issueTemplateChanges,
} from "../../../shared/issue-templates.ts";
import type { Api } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { childId } from "../../answers/validation.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { listTemplates, readTemplate } from "./read-templates.ts";
import { updateTemplate } from "./update-template.ts";

const config = { needs: "project:update" } as const;
const templates = "/api/projects/:projectId/issue-templates";
const template = `${templates}/:issueTemplateId`;
const templateId = (request: FastifyRequest) => childId(request, "issueTemplateId");

// Runs before validation, so that an unknown template is 404 even when the body is invalid.
const mustExist = async (request: FastifyRequest) => {
  await readTemplate(request.db, request.project.id, templateId(request));
};

/** A project's templates for new issues. */
export function issueTemplateRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    templates,
    {
      config: { needs: "issues:read" },
      schema: {
        operationId: "listIssueTemplates",
        summary: "List a project's issue templates by name, all on one page",
        response: { 200: pageOf(issueTemplateAnswer) },
      },
    },
    (request) => listTemplates(request.db, request.project.id),
  );

  api.post(
    templates,
    {
      config,
      schema: {
        operationId: "createIssueTemplate",
        summary: "Create an issue template",
        description:
          "The web app fills new issues from templates. Requests that create an issue do not use them, except `template_id` of a promoted error group. If `is_default` is true, the previous default template is no longer the default.",
        body: issueTemplateBody,
        response: { 201: issueTemplateAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createTemplate(request.db, request.project, request.body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    template,
    {
      config,
      schema: {
        operationId: "updateIssueTemplate",
        summary: "Change an issue template",
        body: issueTemplateChanges,
        response: { 200: issueTemplateAnswer },
      },
      preValidation: mustExist,
    },
    (request) => updateTemplate(request.db, request.project, templateId(request), request.body),
  );

  api.delete(
    template,
    {
      config,
      schema: {
        operationId: "deleteIssueTemplate",
        summary: "Delete an issue template",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteTemplate(request.db, request.project.id, templateId(request));
      return reply.code(204).send();
    },
  );
}
