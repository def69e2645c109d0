import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RouteOptions } from "fastify";
import { PERMISSIONS } from "../src/shared/permissions.ts";
import { collectRoutes } from "./support/routes.ts";
import { openTestApp, type TestApp } from "./support/test-app.ts";

let t: TestApp;
/** Every route of the app, as it was declared. */
let routes: RouteOptions[];
before(async () => {
  [t, routes] = await collectRoutes(() => openTestApp());
});
after(() => t.close());

const methods = (route: RouteOptions) => [route.method].flat().filter((method) => method !== "HEAD");
const names = (some: RouteOptions[]) =>
  [...new Set(some.flatMap((route) => methods(route).map((method) => `${method} ${route.url}`)))].sort();

/** What anybody may ask without a credential; each is a decision. */
const PUBLIC = [
  "GET /api/health",
  "GET /api/ready",
  // Looks by itself: at where the request comes from, or at its token.
  "GET /api/metrics",
  "GET /api/openapi.json",
  "GET /api/docs",
  "GET /api/docs/:file",
  "GET /api/setup",
  "POST /api/setup",
  "POST /api/session",
  "GET /api/sign-in",
  "GET /api/oidc/start",
  "GET /api/oidc/callback",
  "POST /api/password/forgot",
  "POST /api/password/reset",
  "GET /api/invitations/:token",
  "POST /api/invitations/:token",
];

test("every route declares what it needs, in the guard's own words", () => {
  const known = new Set<string>([
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

test("every other route answers 401 without a credential, whatever else is wrong with the request", async () => {
  const open: string[] = [];
  for (const route of routes.filter((one) => one.config?.needs !== "nothing"))
    for (const method of methods(route)) {
      const url = route.url.replaceAll(/:\w+|\*/g, "1");
      const answer = await t.http.send({ method, url });
      if (answer.status !== 401 || answer.headers["www-authenticate"] !== "Bearer")
        open.push(`${method} ${route.url}`);
    }
  assert.deepEqual(open, []);
});

test("all routes lie under /api", () => {
  assert.deepEqual(names(routes.filter((route) => !route.url.startsWith("/api/"))), []);
});
