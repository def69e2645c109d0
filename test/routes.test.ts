import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RouteOptions } from "fastify";
import { PERMISSIONS } from "../src/shared/permissions.ts";
import { collectRoutes } from "./support/routes.ts";
import { openTestApp, type TestApp } from "./support/test-app.ts";

let t: TestApp;
/** All routes of the app, as declared. */
let routes: RouteOptions[];
before(async () => {
  [t, routes] = await collectRoutes(() => openTestApp());
});
after(() => t.close());

const methods = (route: RouteOptions) => [route.method].flat().filter((method) => method !== "HEAD");
const names = (some: RouteOptions[]) =>
  [...new Set(some.flatMap((route) => methods(route).map((method) => `${method} ${route.url}`)))].sort();

/** Routes that need no credential. Adding one must be a conscious decision. */
const PUBLIC = [
  "GET /api/health",
  "GET /api/ready",
  // Does its own check: local requests, or a token.
  "GET /api/metrics",
  "GET /api/openapi.json",
  "GET /llms.txt",
  // Both are always 405.
  "GET /api/mcp",
  "DELETE /api/mcp",
  "GET /api/docs",
  "GET /cli/:file",
  "GET /reporter/:file",
  // The path is the secret. Whoever sends the form has to solve a challenge.
  "GET /api/forms/:formKey",
  "POST /api/forms/:formKey",
  "GET /f/:formKey",
  "GET /widget.js",
  "GET /widget/:file",
  // Reads and keeps nothing: the service worker takes what other apps share.
  "POST /share",
  // The script checks the key among its parameters.
  "GET /api/embed/error-page",
  "GET /api/embed/error-page/",
  "GET /api/setup",
  "POST /api/setup",
  "POST /api/session",
  "GET /api/sign-in",
  "GET /api/oidc/start",
  "GET /api/oidc/callback",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/api/mcp",
  "GET /.well-known/oauth-authorization-server",
  // The body has the secret of a public client: a code or a refresh token.
  "POST /api/oauth/token",
  "POST /api/oauth/revoke",
  "POST /api/oauth/register",
  "POST /api/password/forgot",
  "POST /api/password/reset",
  // The path is the secret, and the body is signed.
  "POST /api/git/:token",
  // The path is the secret.
  "GET /r/:statusToken",
  "GET /api/r/:statusToken",
  "GET /api/r/:statusToken/images/:image",
  "POST /api/r/:statusToken/messages",
  // The path is the secret.
  "GET /ping/:token",
  "POST /ping/:token",
  "GET /ping/:token/:outcome",
  "POST /ping/:token/:outcome",
  "GET /api/invitations/:token",
  "POST /api/invitations/:token",
  // The path is the secret.
  "POST /api/r/:statusToken/subscription",
  "POST /api/subscriptions/:secret/confirm",
  "POST /api/subscriptions/:secret/unsubscribe",
  "GET /api/subscriptions/:secret/unsubscribe",
  "GET /api/mine/:secret",
  "GET /subscriptions/:secret/confirm",
  "GET /subscriptions/:secret/unsubscribe",
  "GET /mine/:secret",
  // Browsers send preflight requests without credentials.
  "OPTIONS /api/projects/:projectId/error-events",
  "OPTIONS /api/projects/:projectId/feedback",
  "OPTIONS /api/projects/:projectId/otlp/v1/logs",
  "OPTIONS /api/projects/:projectId/otlp/v1/traces",
  "OPTIONS /api/widget",
  ...[
    ":projectId/envelope",
    ":projectId/store",
    ":projectId/security",
    "0/projects/:workspaceId/:projectId/user-feedback",
  ].flatMap((path) => ["", "/"].map((slash) => `OPTIONS /api/${path}${slash}`)),
];

test("every route declares its needs in a form that the guard understands", () => {
  const known = new Set<string>([
    "ingest-key",
    "nothing",
    "caller",
    "session",
    "member",
    "administrator",
    "access",
    ...PERMISSIONS,
  ]);
  assert.ok(routes.length > 20, "the app's routes were not collected");
  assert.deepEqual(names(routes.filter((route) => !known.has(String(route.config?.needs)))), []);
});

test("the routes that need no credential are exactly these", () => {
  assert.deepEqual(names(routes.filter((route) => route.config?.needs === "nothing")), PUBLIC.toSorted());
});

test("every other route returns 401 without a credential, even if the request is otherwise invalid", async () => {
  const open: string[] = [];
  for (const route of routes.filter((one) => !["nothing", "ingest-key"].includes(String(one.config?.needs))))
    for (const method of methods(route)) {
      const url = route.url.replaceAll(/:\w+|\*/g, "1");
      const answer = await t.http.send({ method, url });
      if (answer.status !== 401 || !/^Bearer( |$)/.test(String(answer.headers["www-authenticate"])))
        open.push(`${method} ${route.url}`);
    }
  assert.deepEqual(open, []);
});

test("every route for Sentry SDKs returns 403 without an ingest key", async () => {
  const open: string[] = [];
  for (const route of routes.filter((one) => one.config?.needs === "ingest-key"))
    for (const method of methods(route)) {
      const url = route.url.replaceAll(/:\w+|\*/g, "1");
      const answer = await t.http.send({ method, url, payload: "{}" });
      if (answer.status !== 403) open.push(`${method} ${route.url}`);
    }
  assert.deepEqual(open, []);
});

test("all routes are under /api, except downloads, the widget's files, ping URLs, what OAuth clients read first, the share target, and pages for programs and people outside", () => {
  assert.deepEqual(names(routes.filter((route) => !route.url.startsWith("/api/"))), [
    "GET /.well-known/oauth-authorization-server",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/api/mcp",
    "GET /cli/:file",
    "GET /f/:formKey",
    "GET /llms.txt",
    "GET /mine/:secret",
    "GET /ping/:token",
    "GET /ping/:token/:outcome",
    "GET /projects/:projectId/epics/:epicId.md",
    "GET /projects/:projectId/errors/:errorGroupId.md",
    "GET /projects/:projectId/issues/:issueId.md",
    "GET /projects/:projectId/reports/:reportId.md",
    "GET /projects/:projectId/sprints/:sprintId.md",
    "GET /r/:statusToken",
    "GET /reporter/:file",
    "GET /subscriptions/:secret/confirm",
    "GET /subscriptions/:secret/unsubscribe",
    "GET /widget.js",
    "GET /widget/:file",
    "POST /ping/:token",
    "POST /ping/:token/:outcome",
    "POST /share",
  ]);
});
