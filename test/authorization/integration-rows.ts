import * as rule from "./rules.ts";
import { errors, forTokens, open, P, read, remove, reports, turn, W, write, type Row } from "./row.ts";

/** What a project and a workspace exchange with other tools. */
export const INTEGRATION_ROWS: Record<string, Row> = {
  ...webhookRows(P, "project:update"),
  ...webhookRows(W, "administrator"),
  [`GET ${P}/alert-rules`]: read("project:update"),
  [`POST ${P}/alert-rules`]: write("project:update"),
  [`POST ${P}/alert-rules/preview`]: write("project:update"),
  [`GET ${P}/alert-rules/:alertRuleId`]: read("project:update"),
  [`PATCH ${P}/alert-rules/:alertRuleId`]: write("project:update", { active: "yes" }),
  [`DELETE ${P}/alert-rules/:alertRuleId`]: remove("project:update"),
  [`POST ${P}/alert-rules/:alertRuleId/mute`]: write("project:update"),
  [`GET ${P}/forwarding`]: read("project:update"),
  ...monitorRows(),
  ...markdownRows(),
  // The tools call routes of the API, which check what they need.
  "POST /api/mcp": write("caller", {}, { status: 400, onlyReads: true, rule: rule.byToken }),
  "GET /api/mcp": open(405),
  "DELETE /api/mcp": open(405),
};

/** Pages of single objects, for programs. */
function markdownRows(): Record<string, Row> {
  const page = "/projects/:projectId";
  return {
    "GET /llms.txt": open(),
    [`GET ${page}/issues/:issueId.md`]: read("issues:read"),
    [`GET ${page}/epics/:epicId.md`]: read("epics:read"),
    [`GET ${page}/sprints/:sprintId.md`]: read("access"),
    [`GET ${page}/reports/:reportId.md`]: read("reports:read", { ...reports, ...forTokens }),
    [`GET ${page}/errors/:errorGroupId.md`]: read("error-groups:read", { ...errors, ...forTokens }),
  };
}

function monitorRows(): Record<string, Row> {
  const monitor = `${P}/monitors/:monitorSlug`;
  const reading = { ...errors, ...forTokens };
  return {
    [`GET ${P}/monitors`]: read("error-groups:read", reading),
    [`GET ${P}/monitor-days`]: read("error-groups:read", reading),
    [`POST ${P}/monitors`]: write("error-groups:update", {}, errors),
    [`POST ${P}/monitors/preview`]: write("error-groups:read", {}, errors),
    [`GET ${monitor}`]: read("error-groups:read", reading),
    [`PATCH ${monitor}`]: write("error-groups:update", { name: 5 }, errors),
    [`DELETE ${monitor}`]: remove("error-groups:update", errors),
    [`GET ${monitor}/check-ins`]: read("error-groups:read", reading),
    [`POST ${monitor}/ping-url`]: turn("error-groups:update", errors),
    [`POST ${monitor}/mute`]: write("error-groups:update", {}, errors),
    [`DELETE ${monitor}/mute`]: turn("error-groups:update", errors),
  };
}

function webhookRows(path: string, need: "project:update" | "administrator"): Record<string, Row> {
  const webhook = `${path}/webhooks/:webhookId`;
  return {
    [`GET ${path}/webhooks`]: read(need),
    [`POST ${path}/webhooks`]: write(need),
    [`GET ${webhook}`]: read(need),
    [`PATCH ${webhook}`]: write(need, { url: 5 }),
    [`DELETE ${webhook}`]: remove(need),
    [`GET ${webhook}/preview`]: read(need),
    [`POST ${webhook}/rotate-secret`]: turn(need),
    [`POST ${webhook}/test`]: turn(need, { status: 202 }),
    [`GET ${webhook}/deliveries`]: read(need),
    [`POST ${webhook}/deliveries/:deliveryId/redeliver`]: turn(need, { status: 202 }),
    [`POST ${webhook}/recover`]: write(need),
  };
}
