import type { FastifyRequest } from "fastify";
import {
  alertMuteBody,
  alertPreviewAnswer,
  alertPreviewBody,
  alertRuleAnswer,
  alertRuleBody,
  alertRuleChanges,
} from "../../../shared/alert-rules.ts";
import { pageOf } from "../../../shared/answers.ts";
import type { Api } from "../../access/context.ts";
import { requirePermission } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import { noBody } from "../../answers/operation.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { createAlertRule } from "./create-rule.ts";
import { deleteAlertRule } from "./delete-rule.ts";
import { muteAlertRule } from "./mute-rule.ts";
import { previewAlertRule } from "./preview.ts";
import { listAlertRules, readAlertRule } from "./read-rules.ts";
import { updateAlertRule } from "./update-rule.ts";

const config = { needs: "project:update" } as const;
const rules = "/api/projects/:projectId/alert-rules";
const rule = `${rules}/:alertRuleId`;

const ruleId = (request: FastifyRequest) => childId(request, "alertRuleId");

const mustExist = async (request: FastifyRequest) => {
  await readAlertRule(request.db, request.project.id, ruleId(request));
};

/** A project's rules about who is told of what, and what is done about it. */
export function alertRuleRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
  muteRoute(api);
}

function listRoutes(api: Api) {
  api.get(
    rules,
    {
      config,
      schema: {
        operationId: "listAlertRules",
        summary: "List the alert rules of a project",
        querystring: pageQuery,
        response: { 200: pageOf(alertRuleAnswer) },
      },
    },
    (request) => listAlertRules(request.db, request.project.id, request.query),
  );

  api.post(
    rules,
    {
      config,
      schema: {
        operationId: "createAlertRule",
        summary: "Create an alert rule",
        description:
          "A rule fires for what `when` describes if all conditions in `if` hold, and then does what `then` lists, at most once per group, release or report in `every_minutes`. Patterns match the whole value; `*` is any text and `?` one character. Rules about reports and releases have no conditions. `issue` and `assign` are possible in rules about error groups. People who cannot read what the rule is about are not notified.",
        body: alertRuleBody,
        response: { 201: alertRuleAnswer },
      },
    },
    async ({ db, project, caller, body }, reply) =>
      reply.code(201).send(await createAlertRule(db, project, caller.user_id, body)),
  );

  api.post(
    `${rules}/preview`,
    {
      config,
      schema: {
        operationId: "previewAlertRule",
        summary: "Show what a rule would have fired for in the last 7 days",
        description:
          "Limits of firings are not considered. `approximate` is true if less is known about the past than about now. Requires the permission to read what the rule is about.",
        body: alertPreviewBody,
        response: { 200: alertPreviewAnswer },
      },
    },
    (request) => {
      const { kind } = request.body.when;
      const isAboutReports = kind === "report_created" || kind === "report_waiting";
      requirePermission(request.access, READING[isAboutReports ? "report" : "error_group"].needs);
      return previewAlertRule(request.db, request.project.id, request.body);
    },
  );
}

function itemRoutes(api: Api) {
  api.get(
    rule,
    {
      config,
      schema: {
        operationId: "readAlertRule",
        summary: "Read an alert rule",
        response: { 200: alertRuleAnswer },
      },
    },
    (request) => readAlertRule(request.db, request.project.id, ruleId(request)),
  );

  api.patch(
    rule,
    {
      config,
      schema: {
        operationId: "updateAlertRule",
        summary: "Update an alert rule",
        description:
          "`when`, `if` and `then` are replaced as a whole. A change of what the rule fires for ends its firings.",
        body: alertRuleChanges,
        response: { 200: alertRuleAnswer },
      },
      preValidation: mustExist,
    },
    (request) => updateAlertRule(request.db, request.project, ruleId(request), request.body),
  );

  api.delete(
    rule,
    {
      config,
      schema: {
        operationId: "deleteAlertRule",
        summary: "Delete an alert rule",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteAlertRule(request.db, request.project.id, ruleId(request));
      return reply.code(204).send();
    },
  );
}

function muteRoute(api: Api) {
  api.post(
    `${rule}/mute`,
    {
      config,
      schema: {
        operationId: "muteAlertRule",
        summary: "Silence an alert rule for a time",
        description: "`until: null` ends the silence.",
        body: alertMuteBody,
        response: { 200: alertRuleAnswer },
      },
      preValidation: mustExist,
    },
    (request) => muteAlertRule(request.db, request.project.id, ruleId(request), request.body.until),
  );
}
