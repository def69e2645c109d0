import type { Permission } from "../../src/shared/permissions.ts";
import type { Principal } from "./principals.ts";
import * as rule from "./rules.ts";

/**
 * Every route of the API with what it requires of callers. Written by hand, so that the test can compare it with what the
 * routes declare. A route without a row fails the test.
 */
export type Row = {
  need: "ingest-key" | "nothing" | "caller" | "session" | "member" | "administrator" | "access" | Permission;
  feature?: "reports" | "error_tracking";
  projectToken?: "read" | "read_write";
  ingestKey?: true;
  tokenOnly?: true;
  /** The status for permitted callers. Default 200. */
  status?: number;
  /** Sent as JSON. Unless the row has an `effect`, it is invalid or changes nothing. */
  body?: unknown;
  /** Sends a multipart body without parts. */
  form?: true;
  /** `repeated`: every permitted principal sends it. `once`: only one of them does, at the end. */
  effect?: "repeated" | "once";
  /** Requirements beyond `need`. */
  rule?: rule.Rule;
  /** The status by principal, for routes that need nothing. */
  statusOf?: (who: Principal) => number;
  /** The response does not end, so permitted principals do not request it. */
  endless?: true;
};

const P = "/api/projects/:projectId";
const W = "/api/workspaces/:workspaceId";

const open = (status = 200, more: Partial<Row> = {}): Row => ({ need: "nothing", status, ...more });
const read = (need: Row["need"], more: Partial<Row> = {}): Row => ({ need, ...more });
/** A request with an invalid body, which is rejected after all other checks. */
const write = (need: Row["need"], body: unknown = {}, more: Partial<Row> = {}): Row => ({
  need,
  body,
  status: 422,
  ...more,
});
const remove = (need: Row["need"], more: Partial<Row> = {}): Row => ({
  need,
  status: 204,
  effect: "once",
  ...more,
});
const turn = (need: Row["need"], more: Partial<Row> = {}): Row => ({ need, effect: "repeated", ...more });

/** No principal has an ingest key, and the same 403 follows whatever else is wrong. */
const sentry: Row = { need: "ingest-key", status: 403, tokenOnly: true, body: {} };

const reports = { feature: "reports" } as const;
const errors = { feature: "error_tracking" } as const;
const forTokens = { projectToken: "read" } as const;
const forWritingTokens = { projectToken: "read_write" } as const;
const wrongName = { name: 5 };

const FEATURES = { issue: {}, epic: {}, "error-group": errors, report: reports };

/** `:errorGroupId` */
const idOf = (kind: rule.Commented) => `:${kind === "error-group" ? "errorGroup" : kind}Id`;

export const ROWS: Record<string, Row> = {
  "GET /api/health": open(),
  "GET /api/ready": open(),
  "GET /api/metrics": open(200, { statusOf: rule.metricsStatus }),
  "GET /api/openapi.json": open(),
  "GET /api/docs": open(302),
  // The downloads are not built in tests of the API.
  "GET /reporter/:file": open(404),
  "GET /api/setup": open(),
  "POST /api/setup": open(403, { body: {} }),
  "POST /api/session": open(422, { body: {} }),
  "GET /api/sign-in": open(),
  "GET /api/oidc/start": open(404),
  "GET /api/oidc/callback": open(404),
  "POST /api/password/forgot": open(422, { body: {} }),
  "POST /api/password/reset": open(422, { body: {} }),
  "GET /api/invitations/:token": open(),
  "POST /api/invitations/:token": open(422, { body: { password: 5 } }),

  "DELETE /api/session": remove("session"),
  "GET /api/boot": read("session"),
  "GET /api/reads": read("session"),
  "GET /api/home": read("caller"),
  "POST /api/home/visit": write("session"),
  "GET /api/profile/sessions": read("session"),
  "DELETE /api/profile/sessions": remove("session"),
  "DELETE /api/profile/sessions/:sessionId": remove("session"),
  "GET /api/profile/identities": read("session"),
  "POST /api/profile/identities": write("session", { current_password: 5 }),
  "DELETE /api/profile/identities/:identityId": remove("session"),
  "GET /api/profile/second-factor": read("session"),
  "POST /api/profile/second-factor": write("session", { current_password: 5 }),
  "POST /api/profile/second-factor/confirm": write("session"),
  "POST /api/profile/second-factor/recovery-codes": write("session"),
  "DELETE /api/profile/second-factor": write("session"),
  "POST /api/profile/password": write("session"),
  "GET /api/profile/tokens": read("session"),
  "POST /api/profile/tokens": write("session"),
  "DELETE /api/profile/tokens/:tokenId": remove("session"),
  "GET /api/profile/views": read("caller"),
  "POST /api/profile/views": write("caller"),
  "PATCH /api/profile/views/:viewId": write("caller", wrongName),
  "DELETE /api/profile/views/:viewId": remove("caller"),
  "GET /api/profile": read("caller"),
  "PATCH /api/profile": write("caller", { first_name: 5 }),
  "GET /api/users/:userId/picture/:file": read("caller", { rule: rule.colleague }),
  "POST /api/profile/picture": write("caller", undefined, { form: true }),
  "DELETE /api/profile/picture": turn("caller", { status: 204 }),
  "POST /api/profile/notification-preferences": write("caller", { notify_mentions: "yes" }),

  "GET /api/workspaces": read("caller"),
  "POST /api/workspaces": write("caller", {}, { rule: rule.administratorSomewhere }),
  [`GET ${W}`]: read("member"),
  [`PATCH ${W}`]: write("administrator", wrongName),
  [`DELETE ${W}`]: remove("administrator", { status: 202 }),
  [`GET ${W}/members`]: read("member"),
  [`PATCH ${W}/members/:userId`]: write("administrator", { is_admin: "yes" }),
  [`DELETE ${W}/members/:userId`]: remove("administrator"),
  [`GET ${W}/roles`]: read("member"),
  [`POST ${W}/roles`]: write("administrator"),
  [`PATCH ${W}/roles/:roleId`]: write("administrator", wrongName),
  [`DELETE ${W}/roles/:roleId`]: remove("administrator"),
  [`GET ${W}/teams`]: read("member"),
  [`POST ${W}/teams`]: write("administrator"),
  [`GET ${W}/teams/:teamId`]: read("member"),
  [`PATCH ${W}/teams/:teamId`]: write("administrator", wrongName),
  [`DELETE ${W}/teams/:teamId`]: remove("administrator"),
  [`POST ${W}/teams/:teamId/members/:userId`]: turn("administrator", { status: 200 }),
  [`DELETE ${W}/teams/:teamId/members/:userId`]: remove("administrator"),
  [`GET ${W}/invitations`]: read("administrator"),
  [`POST ${W}/invitations`]: write("administrator"),
  [`DELETE ${W}/invitations/:invitationId`]: remove("administrator"),
  [`GET ${W}/mails`]: read("administrator"),
  [`GET ${W}/mail-setup`]: read("administrator"),
  [`POST ${W}/mail-test`]: { need: "administrator", effect: "once" },
  [`GET ${W}/audit-events`]: read("administrator"),

  "GET /api/deletions": read("caller"),
  "GET /api/projects": read("caller"),
  "POST /api/projects": write("caller"),
  [`GET ${P}`]: read("access"),
  [`PATCH ${P}`]: write("project:update", wrongName),
  [`DELETE ${P}`]: remove("access", { status: 202, rule: rule.ownerOrAdministrator }),
  [`GET ${P}/storage`]: read("access"),
  [`GET ${P}/counts`]: read("access"),
  [`GET ${P}/members`]: read("access"),
  [`GET ${P}/people`]: read("access"),
  [`POST ${P}/members`]: write("project:update"),
  [`PATCH ${P}/members/:userId`]: write("project:update", { is_owner: "yes" }),
  [`DELETE ${P}/members/:userId`]: remove("project:update"),
  [`GET ${P}/teams`]: read("access"),
  [`PUT ${P}/teams/:teamId`]: write("project:update"),
  [`DELETE ${P}/teams/:teamId`]: remove("project:update"),
  [`GET ${P}/tokens`]: read("project:update"),
  [`POST ${P}/tokens`]: write("project:update"),
  [`PATCH ${P}/tokens/:tokenId`]: write("project:update", wrongName),
  [`DELETE ${P}/tokens/:tokenId`]: remove("project:update"),
  [`GET ${P}/ingest-keys`]: read("project:update"),
  [`POST ${P}/ingest-keys`]: write("project:update"),
  [`PATCH ${P}/ingest-keys/:ingestKeyId`]: write("project:update", wrongName),
  [`DELETE ${P}/ingest-keys/:ingestKeyId`]: remove("project:update"),
  [`GET ${P}/privacy-rules`]: read("error-groups:read", errors),
  [`POST ${P}/privacy-rules`]: write("project:update", {}, errors),
  [`PATCH ${P}/privacy-rules/:privacyRuleId`]: write("project:update", wrongName, errors),
  [`DELETE ${P}/privacy-rules/:privacyRuleId`]: remove("project:update", errors),
  [`POST ${P}/privacy-rules/test`]: write(
    "project:update",
    {},
    {
      ...errors,
      rule: rule.needs("error-groups:read"),
    },
  ),
  [`GET ${P}/inbound-rules`]: read("error-groups:read", errors),
  [`POST ${P}/inbound-rules`]: write("project:update", {}, errors),
  [`PATCH ${P}/inbound-rules/:inboundRuleId`]: write("project:update", { active: "yes" }, errors),
  [`DELETE ${P}/inbound-rules/:inboundRuleId`]: remove("project:update", errors),
  [`GET ${P}/lanes`]: read("access"),
  [`POST ${P}/lanes`]: write("project:update"),
  [`PATCH ${P}/lanes/:laneId`]: write("project:update", wrongName),
  [`DELETE ${P}/lanes/:laneId`]: remove("project:update"),
  [`GET ${P}/issue-templates`]: read("issues:read"),
  [`POST ${P}/issue-templates`]: write("project:update"),
  [`PATCH ${P}/issue-templates/:issueTemplateId`]: write("project:update", wrongName),
  [`DELETE ${P}/issue-templates/:issueTemplateId`]: remove("project:update"),
  [`GET ${P}/labels`]: read("access"),
  [`POST ${P}/labels`]: write("project:update"),
  [`PATCH ${P}/labels/:labelId`]: write("project:update", wrongName),
  [`DELETE ${P}/labels/:labelId`]: remove("project:update"),
  [`GET ${P}/views`]: read("access"),
  [`POST ${P}/views`]: write("project:update"),
  [`PATCH ${P}/views/:viewId`]: write("project:update", wrongName),
  [`DELETE ${P}/views/:viewId`]: remove("project:update"),
  [`GET ${P}/sprints`]: read("access"),
  [`POST ${P}/sprints`]: write("project:update"),
  [`GET ${P}/sprints/:sprintId`]: read("access"),
  [`PATCH ${P}/sprints/:sprintId`]: write("project:update", wrongName),
  [`DELETE ${P}/sprints/:sprintId`]: remove("project:update"),

  [`GET ${P}/epics`]: read("epics:read"),
  [`POST ${P}/epics`]: write("epics:create"),
  [`GET ${P}/epics/:epicId`]: read("epics:read"),
  [`PATCH ${P}/epics/:epicId`]: write("epics:update", { title: 5 }),
  [`DELETE ${P}/epics/:epicId`]: remove("epics:delete"),
  "GET /api/issues": read("caller"),
  [`GET ${P}/issues`]: read("issues:read"),
  [`POST ${P}/issues`]: write("issues:create"),
  [`GET ${P}/issues/:issueId`]: read("issues:read"),
  [`PATCH ${P}/issues/:issueId`]: write("issues:update", { title: 5 }),
  [`DELETE ${P}/issues/:issueId`]: remove("issues:delete"),
  [`POST ${P}/issues/assign-sprint`]: write("issues:update"),
  [`POST ${P}/issues/:issueId/move`]: write("issues:update", { lane_id: "one" }),
  [`GET ${P}/issues/:issueId/activity`]: read("issues:read"),
  [`GET ${P}/issues/:issueId/watch`]: read("issues:read"),
  [`POST ${P}/issues/:issueId/watch`]: turn("issues:read"),
  [`PUT ${P}/issues/:issueId/watch`]: write("issues:read"),
  ...commentRows("issue"),
  ...commentRows("epic"),
  ...commentRows("error-group"),
  ...commentRows("report"),
  [`POST ${P}/attachments`]: write("attachments:create", undefined, {
    form: true,
    rule: rule.needs("issues:create"),
  }),
  // Nobody has added the file to a draft, so it is found by nobody.
  [`GET ${P}/attachments/:draftFileId/download`]: read("attachments:create", {
    status: 404,
    rule: rule.needs("issues:create"),
  }),
  ...attachmentRows("issue"),
  ...attachmentRows("epic"),
  ...attachmentRows("error-group"),
  ...attachmentRows("report"),

  "GET /api/notifications": read("caller"),
  "GET /api/notifications/unread-count": read("caller"),
  "GET /api/push-key": read("session"),
  "POST /api/push-subscriptions": write("session"),
  "DELETE /api/push-subscriptions": write("session"),
  "GET /api/notifications/unread-counts": read("caller"),
  "POST /api/notifications/bulk-snooze": write("caller"),
  "POST /api/notifications/read-all": turn("caller", { status: 204 }),
  "POST /api/notifications/bulk-read": write("caller"),
  "POST /api/notifications/bulk-unread": write("caller"),
  "POST /api/notifications/bulk-delete": write("caller"),
  "GET /api/search": write("caller", undefined, forTokens),
  "GET /api/events": read("caller", { endless: true }),

  [`GET ${P}/reports`]: read("reports:read", { ...reports, ...forTokens }),
  [`POST ${P}/reports`]: write("reports:create", {}, { ...reports, ...forWritingTokens }),
  [`GET ${P}/reports/:reportId`]: read("reports:read", { ...reports, ...forTokens }),
  [`DELETE ${P}/reports/:reportId`]: remove("access", { ...reports, rule: rule.needs("reports:delete") }),
  [`POST ${P}/reports/promote`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/reorder`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/:reportId/dismiss`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/:reportId/restore`]: write("reports:update", {}, reports),
  [`GET ${P}/reports/watch`]: read("reports:read", reports),
  [`POST ${P}/reports/watch`]: turn("reports:read", reports),
  [`PUT ${P}/reports/watch`]: write("reports:read", {}, reports),
  [`GET ${P}/reports/:reportId/attachments`]: read("access", {
    ...reports,
    ...forTokens,
    rule: rule.needs("reports:read"),
  }),
  [`GET ${P}/reports/:reportId/attachments/:attachmentId/download`]: read("access", {
    ...reports,
    ...forTokens,
    rule: rule.needs("reports:read"),
  }),
  [`POST ${P}/reports/:reportId/attachments`]: write("attachments:create", undefined, {
    ...reports,
    ...forWritingTokens,
    form: true,
    rule: rule.readsReportsUnlessToken,
  }),

  "GET /api/error-groups": read("caller", { ...forTokens, rule: rule.hasFeature }),
  "POST /api/error-groups/bulk-status": write("caller", {}, { rule: rule.hasFeature }),
  [`GET ${P}/error-groups`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/error-groups/:errorGroupId`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`POST ${P}/error-groups/:errorGroupId/resolve`]: turn("error-groups:update", errors),
  [`POST ${P}/error-groups/:errorGroupId/ignore`]: turn("error-groups:update", errors),
  [`POST ${P}/error-groups/:errorGroupId/reopen`]: turn("error-groups:update", errors),
  [`POST ${P}/error-groups/:errorGroupId/promote`]: {
    need: "error-groups:update",
    ...errors,
    effect: "once",
  },
  [`PATCH ${P}/error-groups/:errorGroupId`]: write("error-groups:update", { assignee_id: "x" }, errors),
  "POST /api/error-groups/bulk-assign": write("caller", {}, { rule: rule.hasFeature }),
  [`GET ${P}/error-groups/:errorGroupId/activity`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/error-groups/:errorGroupId/events`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/error-groups/:errorGroupId/events/:eventId`]: read("error-groups:read", {
    ...errors,
    ...forTokens,
  }),
  [`GET ${P}/error-groups/:errorGroupId/tags`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/events/:clientEventId`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`POST ${P}/error-groups/:errorGroupId/link`]: write(
    "error-groups:update",
    {},
    { ...errors, rule: rule.needs("issues:read") },
  ),
  [`DELETE ${P}/error-groups/:errorGroupId/link`]: remove("error-groups:update", {
    ...errors,
    status: 200,
    rule: rule.needs("issues:read"),
  }),
  [`GET ${P}/error-groups/:errorGroupId/grouping`]: read("error-groups:read", errors),
  [`POST ${P}/error-groups/:errorGroupId/merge`]: write("error-groups:update", {}, errors),
  [`POST ${P}/error-groups/:errorGroupId/unmerge`]: write("error-groups:update", {}, errors),
  [`GET ${P}/error-groups/:errorGroupId/reports`]: read("error-groups:read", {
    ...errors,
    rule: rule.needs("reports:read"),
  }),
  [`GET ${P}/error-groups/:errorGroupId/days-without`]: read("error-groups:read", errors),
  [`GET ${P}/error-groups/:errorGroupId/watch`]: read("error-groups:read", errors),
  [`POST ${P}/error-groups/:errorGroupId/watch`]: turn("error-groups:read", errors),
  [`PUT ${P}/error-groups/:errorGroupId/watch`]: write("error-groups:read", {}, errors),
  [`GET ${P}/usage`]: read("error-groups:read", errors),
  [`OPTIONS ${P}/error-events`]: open(204),
  [`GET ${P}/releases`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/releases/:version`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/fix-release`]: read("error-groups:read", errors),
  [`POST ${P}/releases`]: write("error-groups:update", {}, { ...errors, ...forWritingTokens }),
  [`POST ${P}/error-events`]: write(
    "error-groups:create",
    {},
    { ...errors, ...forWritingTokens, ingestKey: true, tokenOnly: true },
  ),
  ...Object.fromEntries(
    [
      ":projectId/envelope",
      ":projectId/store",
      ":projectId/security",
      "0/projects/:workspaceId/:projectId/user-feedback",
    ].flatMap((path): [string, Row][] =>
      ["", "/"].flatMap((slash): [string, Row][] => [
        [`POST /api/${path}${slash}`, sentry],
        [`OPTIONS /api/${path}${slash}`, open(204)],
      ]),
    ),
  ),
};

function commentRows(kind: rule.Commented): Record<string, Row> {
  const feature = FEATURES[kind];
  const comments = `${P}/${kind}s/${idOf(kind)}/comments`;
  const comment = `${comments}/:commentId`;
  return {
    [`GET ${comments}`]: read(`${kind}s:read`, feature),
    [`POST ${comments}`]: write("comments:create", {}, { ...feature, rule: rule.needs(`${kind}s:read`) }),
    [`PUT ${comment}`]: write("access", {}, { ...feature, rule: rule.changesComment(kind) }),
    [`DELETE ${comment}`]: remove("access", { ...feature, rule: rule.changesComment(kind) }),
    [`POST ${comment}/pin`]: turn(`${kind}s:update`, feature),
    [`DELETE ${comment}/pin`]: turn(`${kind}s:update`, feature),
    [`POST ${comment}/like`]: turn(`${kind}s:read`, feature),
  };
}

/** The attachments of reports themselves have rows of their own. */
function attachmentRows(kind: rule.Commented): Record<string, Row> {
  const feature = FEATURES[kind];
  const target = `${P}/${kind}s/${idOf(kind)}`;
  const mayRead = rule.needs(`${kind}s:read`);
  const rows = (url: string, mayAdd: rule.Rule): Record<string, Row> => ({
    [`GET ${url}`]: read(`${kind}s:read`, feature),
    [`GET ${url}/:attachmentId/download`]: read(`${kind}s:read`, feature),
    [`POST ${url}`]: write("attachments:create", undefined, { ...feature, form: true, rule: mayAdd }),
    [`DELETE ${url}/:attachmentId`]: remove("access", { ...feature, rule: rule.deletesAttachment(kind) }),
  });
  return {
    ...(kind === "report" ? {} : rows(`${target}/attachments`, mayRead)),
    ...rows(
      `${target}/comments/:commentId/attachments`,
      (who, on) => mayRead(who, on) ?? rule.changesComment(kind)(who, on),
    ),
  };
}
