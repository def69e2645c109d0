import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import { inboundRuleAnswer, inboundRuleBody, inboundRuleChanges } from "../../../../shared/inbound-rules.ts";
import type { Api } from "../../../access/context.ts";
import { noBody } from "../../../answers/operation.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { createInboundRule } from "./create-rule.ts";
import { deleteInboundRule } from "./delete-rule.ts";
import { listInboundRules, readInboundRule } from "./read-rules.ts";
import { updateInboundRule } from "./update-rule.ts";

const feature = "error_tracking";
const config = { needs: "project:update", feature } as const;
const rules = "/api/projects/:projectId/inbound-rules";
const rule = `${rules}/:inboundRuleId`;

const mustExist = async (request: FastifyRequest) => {
  await readInboundRule(request.db, request.project.id, childId(request, "inboundRuleId"));
};

/** A project's rules that drop events on arrival. */
export function inboundRuleRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    rules,
    {
      config: { needs: "error-groups:read", feature },
      schema: {
        operationId: "listInboundRules",
        summary: "List the rules that drop a project's events, and how many each dropped",
        querystring: pageQuery,
        response: { 200: pageOf(inboundRuleAnswer) },
      },
    },
    (request) => listInboundRules(request.db, request.project.id, request.query),
  );

  api.post(
    rules,
    {
      config,
      schema: {
        operationId: "createInboundRule",
        summary: "Create an inbound rule",
        description:
          "Events that match an active rule are not stored. Their sender gets its normal success response, and they count as `filtered` in the project's usage. Rules of the kinds `exception_class`, `message`, `release` and `environment` require a `pattern`, a regular expression in RE2 syntax without lookaround and backreferences. It matches anywhere unless it contains `^` or `$`, and `(?i)` makes it ignore case. It searches the first 2,048 characters; a rule that takes more than 20 ms of CPU time on an event is switched off, and `paused_at` says when. The other kinds have no pattern.",
        body: inboundRuleBody,
        response: { 201: inboundRuleAnswer },
      },
    },
    async ({ db, project, body }, reply) =>
      reply.code(201).send(await createInboundRule(db, project.id, body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    rule,
    {
      config,
      schema: {
        operationId: "updateInboundRule",
        summary: "Update an inbound rule",
        body: inboundRuleChanges,
        response: { 200: inboundRuleAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updateInboundRule(request.db, request.project.id, childId(request, "inboundRuleId"), request.body),
  );

  api.delete(
    rule,
    {
      config,
      schema: {
        operationId: "deleteInboundRule",
        summary: "Delete an inbound rule",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteInboundRule(request.db, request.project.id, childId(request, "inboundRuleId"));
      return reply.code(204).send();
    },
  );
}
