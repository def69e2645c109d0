import {
  errors,
  forTokens,
  forWritingTokens,
  open,
  P,
  read,
  remove,
  reports,
  turn,
  write,
  type Row,
} from "./row.ts";
import * as rule from "./rules.ts";

/** No principal has an ingest key, and the same 403 follows whatever else is wrong. */
const sentry: Row = { need: "ingest-key", status: 403, tokenOnly: true, body: {} };

/** An export without exceptions changes nothing. */
const otlp: Row = {
  need: "error-groups:create",
  ...errors,
  ...forWritingTokens,
  ingestKey: true,
  tokenOnly: true,
  body: {},
};

const forClients = { ...forWritingTokens, tokenOnly: true, anyText: ["organization", "version"] } as const;
const asked: Row = read("caller", { ...forClients, rule: rule.writes });
const wrongProjects = { projects: 5 };
const ofProject = { ...errors, ...forClients };
const ORGANIZATION = "/api/0/organizations/:organization";
const CLIENT_PROJECT = "/api/0/projects/:organization/:projectId";

const CLIENT_ROUTES: Record<string, Row> = {
  "GET /api/0": asked,
  [`GET ${ORGANIZATION}`]: asked,
  [`GET ${ORGANIZATION}/repos`]: asked,
  [`GET ${ORGANIZATION}/chunk-upload`]: asked,
  [`POST ${ORGANIZATION}/chunk-upload`]: turn("caller", { ...forClients, form: true, rule: rule.uploads }),
  [`POST ${ORGANIZATION}/artifactbundle/assemble`]: write("caller", {}, forClients),
  [`POST ${ORGANIZATION}/releases`]: write("caller", wrongProjects, forClients),
  [`PUT ${ORGANIZATION}/releases/:version`]: write("caller", wrongProjects, forClients),
  [`POST ${ORGANIZATION}/releases/:version/deploys`]: write("caller", { environment: 5 }, forClients),
  [`GET ${ORGANIZATION}/releases/:version/previous-with-commits`]: read("caller", {
    ...forClients,
    rule: rule.uploads,
  }),
  [`POST ${CLIENT_PROJECT}/releases`]: write("error-groups:update", {}, ofProject),
  [`PUT ${CLIENT_PROJECT}/releases/:version`]: write("error-groups:update", { dateReleased: 5 }, ofProject),
};

const cron: Row = { need: "ingest-key", status: 403, tokenOnly: true, anyText: ["ingestKey", "monitorSlug"] };

/** Sentry's addresses for check-ins, and ping URLs. */
const CHECK_IN_ROWS: Record<string, Row> = {
  ...Object.fromEntries(
    ["", "/"].flatMap((slash): [string, Row][] => [
      [`GET /api/:projectId/cron/:monitorSlug/:ingestKey${slash}`, cron],
      [`POST /api/:projectId/cron/:monitorSlug/:ingestKey${slash}`, { ...cron, body: {} }],
    ]),
  ),
  "GET /ping/:token": open(404),
  "POST /ping/:token": open(404, { body: {} }),
  "GET /ping/:token/:outcome": open(404),
  "POST /ping/:token/:outcome": open(404, { body: {} }),
};

/** Each with and without a slash at the end. */
const SENTRY_CLIENT_ROWS = Object.fromEntries(
  Object.entries(CLIENT_ROUTES).flatMap(([route, row]) => [
    [route, row],
    [`${route}/`, row],
  ]),
);

export const INTAKE_ROWS: Record<string, Row> = {
  [`GET ${P}/reports`]: read("reports:read", { ...reports, ...forTokens }),
  [`POST ${P}/reports`]: write("reports:create", {}, { ...reports, ...forWritingTokens }),
  [`GET ${P}/reports/:reportId`]: read("reports:read", { ...reports, ...forTokens }),
  [`DELETE ${P}/reports/:reportId`]: remove("access", { ...reports, rule: rule.needs("reports:delete") }),
  [`POST ${P}/reports/promote`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/reorder`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/:reportId/dismiss`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/:reportId/restore`]: write("reports:update", {}, reports),
  [`POST ${P}/reports/:reportId/unpromote`]: write("reports:update", { delete_issue: "x" }, reports),
  [`POST ${P}/reports/link`]: write("reports:update", {}, { ...reports, rule: rule.needs("issues:read") }),
  [`GET ${P}/reports/:reportId/activity`]: read("reports:read", reports),
  [`GET ${P}/reports/:reportId/status-link`]: read("reports:update", reports),
  // Reports of people with an account have no link.
  [`POST ${P}/reports/:reportId/status-link`]: write("reports:update", {}, reports),
  [`DELETE ${P}/reports/:reportId/status-link`]: turn("reports:update", { ...reports, status: 204 }),
  [`GET ${P}/similar`]: read("access", { ...forTokens, status: 422, rule: rule.readsSimilar }),
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
  "GET /api/error-groups/tags": read("caller", { ...forTokens, rule: rule.hasFeature }),
  [`GET ${P}/error-groups/tags`]: read("error-groups:read", { ...errors, ...forTokens }),
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
  "POST /api/error-groups/undo": write("caller", {}, { rule: rule.hasFeature }),
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
  [`GET ${P}/error-groups/:errorGroupId/suspects`]: read("error-groups:read", errors),
  [`GET ${P}/error-groups/:errorGroupId/days-without`]: read("error-groups:read", errors),
  [`GET ${P}/error-groups/:errorGroupId/sessions`]: read("error-groups:read", errors),
  [`GET ${P}/error-groups/:errorGroupId/watch`]: read("error-groups:read", errors),
  [`POST ${P}/error-groups/:errorGroupId/watch`]: turn("error-groups:read", errors),
  [`PUT ${P}/error-groups/:errorGroupId/watch`]: write("error-groups:read", {}, errors),
  [`GET ${P}/usage`]: read("error-groups:read", errors),
  [`OPTIONS ${P}/error-events`]: open(204),
  [`OPTIONS ${P}/feedback`]: open(204),
  [`OPTIONS ${P}/otlp/v1/logs`]: open(204),
  [`OPTIONS ${P}/otlp/v1/traces`]: open(204),
  // The widget, which contains the script of the page, is not built in tests of the API.
  "GET /f/:formKey": open(404),
  "GET /api/forms/:formKey": open(200, { shows: ["project"] }),
  // Without the solution of a challenge.
  "POST /api/forms/:formKey": open(403, { body: {} }),
  "OPTIONS /api/widget": open(204),
  "GET /api/widget": read("caller", { feature: "reports", ingestKey: "only", tokenOnly: true }),
  [`POST ${P}/feedback`]: write("reports:create", {}, { ...reports, ingestKey: "only", tokenOnly: true }),
  [`DELETE ${P}/reports/:reportId/author`]: turn("reports:update", { ...reports, status: 204 }),
  [`POST ${P}/feedback/identity-secret`]: turn("project:update"),
  [`GET ${P}/releases`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/releases/:version`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/releases/:version/health`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/release/health`]: read("error-groups:read", { ...errors, ...forTokens, status: 422 }),
  [`GET ${P}/releases/:version/mapping`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`GET ${P}/releases/:version/artifacts`]: read("error-groups:read", { ...errors, ...forTokens }),
  [`POST ${P}/releases/:version/artifacts`]: write("error-groups:update", undefined, {
    ...errors,
    ...forWritingTokens,
    form: true,
    anyText: ["version"],
  }),
  [`DELETE ${P}/releases/:version/artifacts/:artifactId`]: remove("error-groups:update", {
    ...errors,
    ...forWritingTokens,
  }),
  ...SENTRY_CLIENT_ROWS,
  ...CHECK_IN_ROWS,
  [`GET ${P}/release`]: read("error-groups:read", { ...errors, ...forTokens, status: 422 }),
  [`GET ${P}/fix-release`]: read("error-groups:read", errors),
  [`POST ${P}/releases`]: write("error-groups:update", {}, { ...errors, ...forWritingTokens }),
  "POST /api/git/:token": open(404, { body: {} }),
  // Each address may try few unknown links in a minute.
  "GET /r/:statusToken": open(200, { shows: ["project", "report"], anyText: ["statusToken"] }),
  "GET /api/r/:statusToken": open(200, { shows: ["project", "report"], anyText: ["statusToken"] }),
  "GET /api/r/:statusToken/images/:image": open(404, { anyText: ["statusToken"] }),
  "POST /api/r/:statusToken/messages": open(422, { body: {}, anyText: ["statusToken"] }),
  [`POST ${P}/error-events`]: write(
    "error-groups:create",
    {},
    { ...errors, ...forWritingTokens, ingestKey: true, tokenOnly: true },
  ),
  [`POST ${P}/otlp/v1/logs`]: otlp,
  [`POST ${P}/otlp/v1/traces`]: otlp,
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
