import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import {
  privacyRuleAnswer,
  privacyRuleBody,
  privacyRuleChanges,
  privacyRuleTest,
  privacyRuleTestAnswer,
} from "../../../../shared/privacy-rules.ts";
import type { Api, Context } from "../../../access/context.ts";
import { requirePermission } from "../../../access/project-access.ts";
import { noBody } from "../../../answers/operation.ts";
import { childId } from "../../../answers/validation.ts";
import { createPrivacyRule } from "./create-rule.ts";
import { deletePrivacyRule } from "./delete-rule.ts";
import { listPrivacyRules, readPrivacyRule } from "./read-rules.ts";
import { trialThread, tryPrivacyRule } from "./try-rule.ts";
import { updatePrivacyRule } from "./update-rule.ts";

const feature = "error_tracking";
const config = { needs: "project:update", feature } as const;
const rules = "/api/projects/:projectId/privacy-rules";
const rule = `${rules}/:privacyRuleId`;

const mustExist = async (request: FastifyRequest) => {
  await readPrivacyRule(request.db, request.project.id, childId(request, "privacyRuleId"));
};

/** A project's own rules that remove personal data from its events. */
export function privacyRuleRoutes(api: Api, context: Context) {
  listRoutes(api);
  itemRoutes(api);
  testRoute(api, context);
}

function listRoutes(api: Api) {
  api.get(
    rules,
    {
      config: { needs: "error-groups:read", feature },
      schema: {
        operationId: "listPrivacyRules",
        summary: "List the rules that remove personal data from a project's events",
        description: "First the built-in rules, which apply in every project and cannot be changed.",
        response: { 200: pageOf(privacyRuleAnswer) },
      },
    },
    (request) => listPrivacyRules(request.db, request.project.id),
  );

  api.post(
    rules,
    {
      config,
      schema: {
        operationId: "createPrivacyRule",
        summary: "Create a privacy rule",
        description:
          "`key_pattern` removes the values of matching keys, `value_pattern` the matching parts of texts and numbers. Both are regular expressions in RE2 syntax, without lookaround and backreferences; they match anywhere unless they contain `^` or `$`, and `(?i)` makes them ignore case. Rules apply to events that arrive from now on, wherever built-in rules apply: the messages of native events are stored as sent.",
        body: privacyRuleBody,
        response: { 201: privacyRuleAnswer },
      },
    },
    async ({ db, project, body }, reply) =>
      reply.code(201).send(await createPrivacyRule(db, project.id, body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    rule,
    {
      config,
      schema: {
        operationId: "updatePrivacyRule",
        summary: "Update a privacy rule",
        description: "A pattern that is null is removed from the rule. At least one must remain.",
        body: privacyRuleChanges,
        response: { 200: privacyRuleAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updatePrivacyRule(request.db, request.project.id, childId(request, "privacyRuleId"), request.body),
  );

  api.delete(
    rule,
    {
      config,
      schema: {
        operationId: "deletePrivacyRule",
        summary: "Delete a privacy rule",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deletePrivacyRule(request.db, request.project.id, childId(request, "privacyRuleId"));
      return reply.code(204).send();
    },
  );
}

function testRoute(api: Api, { outside }: Context) {
  const thread = trialThread();
  api.addHook("onClose", () => thread.close());

  api.post(
    `${rules}/test`,
    {
      config,
      onRequest: requireErrors,
      schema: {
        operationId: "testPrivacyRule",
        summary: "Try a privacy rule on a kept event",
        description:
          "Changes nothing. `removed` counts what the rule would remove, and `places` shows where, with the texts before and after. Also requires the permission `error-groups:read`.",
        body: privacyRuleTest,
        response: { 200: privacyRuleTestAnswer },
      },
    },
    // It changes nothing, and the thread may take seconds, in which it must not hold a transaction.
    ({ errorDb, project, body: { rule: tried, event_id } }) =>
      tryPrivacyRule({ ...errorDb, db: outside }, tried, event_id, { projectId: project.id, thread }),
  );
}

async function requireErrors({ access }: FastifyRequest): Promise<void> {
  requirePermission(access, "error-groups:read");
}
