import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify, { type FastifyContextConfig } from "fastify";
import type { Answer, Client } from "../../../test/support/client.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../test/support/make.ts";
import { openTestApp, useTestApp } from "../../../test/support/test-app.ts";
import { Authority } from "./authority.ts";
import { CachedLookups } from "./cached-lookup.ts";
import { makeToken } from "./tokens.ts";
import { guard } from "./guard.ts";
import { FeedbackLimits } from "../limits/feedback-limits.ts";
import { KeyLimits } from "../limits/key-limits.ts";
import { RequestSlots } from "./request-limits.ts";
import { RateLimiter } from "../limits/rate-limit.ts";

const t = await useTestApp();
const as = async (user: { id: number }, options: { write?: boolean } = {}) =>
  t.http.as(await makePersonalToken(t.db, user.id, options));
const workspace = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspace.id);
const foreign = await makeProject(t.db, (await makeWorkspace(t.db)).id);
const member = await makeMember(t.db, project.id, { role: "Member" });
const client = await as(member);

const malformed = { headers: { "content-type": "application/json" }, payload: "{" };
const lanesOf = (ref: unknown) => `/api/projects/${String(ref)}/lanes`;

test("checks come in order: 401, 404 project, 403, 400 and 415, 404 child, 422", async () => {
  const manager = await as(await makeMember(t.db, project.id, { role: "Manager" }));
  const patch = (who: Client, ref: unknown, lane: unknown, payload: string, type = "application/json") =>
    who.send({
      method: "PATCH",
      url: `${lanesOf(ref)}/${String(lane)}`,
      headers: { "content-type": type },
      payload,
    });
  assert.equal((await patch(t.http, 999_999, 999_999, "{")).status, 401);
  assert.equal((await patch(client, 999_999, 999_999, "{")).status, 404);
  assert.equal((await patch(client, project.id, 999_999, "{")).status, 403);
  assert.equal((await patch(manager, project.id, 999_999, "{")).status, 400);
  assert.equal((await patch(manager, project.id, 999_999, "{}", "text/plain")).status, 415);
  assert.equal((await patch(manager, project.id, 999_999, '{"name":5}')).status, 404);
  const lane = await manager.post(lanesOf(project.id), { name: "Review", kind: "doing" });
  assert.equal((await patch(manager, project.id, lane.body.id, '{"name":5}')).status, 422);
  assert.equal((await patch(manager, project.id, lane.body.id, '{"name":"Check"}')).status, 200);
});

test("a missing, malformed or unknown credential returns 401", async () => {
  const url = "/api/projects";
  const unknown = makeToken("pat").token;
  const mistyped = `${unknown.slice(0, -1)}${unknown.endsWith("0") ? "1" : "0"}`;
  const headers: Record<string, string>[] = [
    {},
    { authorization: "Bearer " },
    { authorization: "Basic YTpi" },
    { authorization: unknown },
    { authorization: `Bearer ${unknown}` },
    { authorization: `Bearer ${mistyped}` },
    { authorization: `Bearer ${unknown} more` },
    { cookie: "signalbox=unknown" },
  ];
  for (const one of headers) {
    const answer = await t.http.send({ method: "GET", url, headers: one });
    assert.equal(answer.status, 401, JSON.stringify(one));
    assert.equal(answer.headers["www-authenticate"], "Bearer");
    assert.equal(typeof answer.body.message, "string");
  }
  const token = await makePersonalToken(t.db, member.id);
  const lower = await t.http.send({ method: "GET", url, headers: { authorization: `bearer ${token}` } });
  assert.equal(lower.status, 200);
});

test("an unknown project returns 404 and an inaccessible one 403, by id and by key", async () => {
  for (const ref of [999_999, "NOSUCH", "0", "x"])
    assert.equal((await client.get(lanesOf(ref))).status, 404, String(ref));
  for (const ref of [foreign.id, foreign.key])
    assert.equal((await client.get(lanesOf(ref))).status, 403, String(ref));
  for (const ref of [project.id, project.key])
    assert.equal((await client.get(lanesOf(ref))).status, 200, String(ref));
});

test("administrators and owners may do everything, other members what their role permits", async () => {
  const owner = await makeMember(t.db, project.id, { role: { permissions: [] }, is_owner: true });
  const powerless = await makeMember(t.db, project.id, { role: { permissions: [] } });
  const reader = await makeMember(t.db, project.id, { role: { permissions: ["error-groups:read"] } });
  const statuses = async (user: TestUser) => {
    const one = await as(user);
    return [
      (await one.get(lanesOf(project.id))).status,
      (await one.get(`/api/projects/${project.id}/error-groups`)).status,
      (await one.get(`/api/projects/${project.id}/tokens`)).status,
    ];
  };
  assert.deepEqual(await statuses(workspace.admin), [200, 200, 200]);
  assert.deepEqual(await statuses(owner), [200, 200, 200]);
  assert.deepEqual(await statuses(powerless), [200, 403, 403]);
  assert.deepEqual(await statuses(reader), [200, 200, 403]);
});

test("a personal token without the write scope may only read, in a project and in a workspace", async () => {
  const reader = await as(workspace.admin, { write: false });
  assert.equal((await reader.get(lanesOf(project.id))).status, 200);
  assert.equal((await reader.get(`/api/workspaces/${workspace.id}`)).status, 200);
  assert.equal((await reader.send({ method: "POST", url: lanesOf(project.id), ...malformed })).status, 403);
  assert.equal((await reader.send({ method: "POST", url: lanesOf(999_999), ...malformed })).status, 404);
  assert.equal((await reader.patch(`/api/workspaces/${workspace.id}`, { name: "X" })).status, 403);
  assert.equal((await reader.patch("/api/workspaces/999999", { name: "X" })).status, 404);
  assert.equal((await reader.post(`/api/projects/${project.id}/error-events`, anEvent())).status, 403);
});

test("a project token reads or writes according to its access, only in its own project", async () => {
  const read = t.http.as(await makeProjectToken(t.db, project.id, member.id, { access: "read" }));
  const write = t.http.as(await makeProjectToken(t.db, project.id, member.id));
  const groups = (id: number) => `/api/projects/${id}/error-groups`;
  const events = (id: number) => `/api/projects/${id}/error-events`;
  assert.equal((await read.get(groups(project.id))).status, 200);
  assert.equal((await read.post(events(project.id), anEvent())).status, 403);
  assert.equal((await write.get(groups(project.id))).status, 200);
  assert.equal((await write.post(events(project.id), anEvent())).status, 202);
  for (const token of [read, write]) {
    assert.equal((await token.get(groups(foreign.id))).status, 403);
    assert.equal((await token.post(events(foreign.id), anEvent())).status, 403);
    assert.equal((await token.get(groups(999_999))).status, 404);
    assert.equal((await token.get(lanesOf(project.id))).status, 403);
    assert.equal((await token.post(`${groups(project.id)}/1/resolve`)).status, 403);
    assert.equal((await token.get("/api/profile")).status, 403);
  }
  const second = await makeProject(t.db, workspace.id);
  await makeMember(t.db, second.id, { user: member });
  assert.equal((await client.get(groups(second.id))).status, 200);
  assert.equal((await read.get(groups(second.id))).status, 403);
});

test("a project token can do no more than its creator", async () => {
  const reporter = await makeMember(t.db, project.id, { role: "Reporter" });
  const token = t.http.as(await makeProjectToken(t.db, project.id, reporter.id));
  assert.equal((await token.post(`/api/projects/${project.id}/error-events`, anEvent())).status, 403);
  assert.equal((await token.get(`/api/projects/${project.id}/error-groups`)).status, 403);
});

test("an inactive project token returns 403 in its project, an expired one 401 everywhere", async () => {
  const url = `/api/projects/${project.id}/error-groups`;
  const inactive = await makeProjectToken(t.db, project.id, member.id, { active: false });
  const expired = await makeProjectToken(t.db, project.id, member.id, { expired: true });
  const refused = await t.http.as(inactive).get(url);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /not active/);
  assert.equal((await t.http.as(expired).get(url)).status, 401);
});

test("a bearer token takes precedence over a cookie, even if only the cookie is valid", async () => {
  const cookie = await makeCookie(t.db, member.id);
  const other = await makePersonalToken(t.db, workspace.admin.id);
  const profile = (authorization: string) =>
    t.http.send({ method: "GET", url: "/api/profile", headers: { cookie, authorization } });
  assert.equal((await profile(`Bearer ${other}`)).body.id, workspace.admin.id);
  assert.equal((await profile("Bearer nonsense")).status, 401);
  assert.equal((await t.http.withCookie(cookie).get("/api/profile")).body.id, member.id);
});

test("error events accept a token but no cookie", async () => {
  const browser = t.http.withCookie(await makeCookie(t.db, member.id));
  assert.equal((await browser.post(`/api/projects/${project.id}/error-events`, anEvent())).status, 401);
});

test("HEAD returns the status of GET without a body, and counts as reading", async () => {
  const reader = await as(member, { write: false });
  for (const [url, status] of [
    ["/api/projects", 200],
    [lanesOf(project.id), 200],
    [lanesOf(foreign.id), 403],
    [lanesOf(999_999), 404],
  ] as const) {
    const answer = await reader.send({ method: "HEAD", url });
    assert.equal(answer.status, status, url);
    assert.equal(answer.text, "");
  }
  assert.equal((await t.http.send({ method: "HEAD", url: "/api/projects" })).status, 401);
});

test("every response forbids sniffing, framing, scripts and unchecked caching, whatever its status", async () => {
  const browser = t.http.withCookie(await makeCookie(t.db, member.id));
  const tooLarge = {
    headers: { "content-type": "application/json", "content-length": "99999999999" },
    payload: "",
  };
  const answers: Record<string, Answer> = {
    200: await client.get("/api/projects"),
    201: await (await as(workspace.admin)).post("/api/workspaces", { name: "X" }),
    204: await browser.delete("/api/session"),
    400: await client.send({ method: "POST", url: "/api/projects", ...malformed }),
    401: await t.http.get("/api/projects"),
    403: await client.get(lanesOf(foreign.id)),
    404: await client.get(lanesOf(999_999)),
    "404 no route": await t.http.get("/api/nowhere"),
    "404 no page": await t.http.get("/"),
    "404 not a path": await t.http.get("/api/projects/%E0%A4%A"),
    "404 a long path": await t.http.get(`/api/projects/${"x".repeat(2_000)}`),
    413: await client.send({ method: "POST", url: "/api/projects", ...tooLarge }),
    415: await client.send({
      method: "POST",
      url: "/api/projects",
      headers: { "content-type": "text/plain" },
      payload: "x",
    }),
    422: await client.post("/api/projects", {}),
  };
  for (const [name, { status, headers, body }] of Object.entries(answers)) {
    assert.equal(status, Number(name.slice(0, 3)), name);
    assert.equal(headers["x-content-type-options"], "nosniff", name);
    // Only the response to a read with a credential may be stored, and is revalidated.
    assert.equal(headers["cache-control"], status === 200 ? "private, no-cache" : "no-store", name);
    assert.match(
      headers["content-security-policy"] ?? "",
      /default-src 'none'.*frame-ancestors 'none'/,
      name,
    );
    assert.equal(headers["x-frame-options"], "DENY", name);
    assert.equal(headers["cross-origin-opener-policy"], "same-origin", name);
    assert.equal(headers["strict-transport-security"], undefined, name);
    if (status >= 400)
      assert.deepEqual(
        Object.keys(body).filter((key) => key !== "errors"),
        ["message"],
        name,
      );
  }
});

test("an unexpected error returns 500 with a request id and no details", async () => {
  const broken = await openTestApp();
  try {
    const token = await makePersonalToken(broken.db, (await makeUser(broken.db)).id);
    await broken.database.pool.query("alter table workspaces rename to elsewhere");
    const answer = await broken.http.as(token).get("/api/workspaces");
    assert.equal(answer.status, 500);
    assert.deepEqual(Object.keys(answer.body), ["message", "request_id"]);
    assert.match(answer.body.request_id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-z]+$/);
    assert.ok(!answer.text.includes("workspaces"));
  } finally {
    await broken.close();
  }
});

test("concurrent requests of one credential beyond 64 return 503, and succeed later", async () => {
  const busy = await as(member);
  const answers = await Promise.all(Array.from({ length: 100 }, () => busy.get("/api/projects")));
  const refused = answers.filter((answer) => answer.status === 503);
  assert.ok(refused.length > 0);
  assert.equal(answers.filter((answer) => answer.status === 200).length, 100 - refused.length);
  for (const answer of refused) assert.equal(answer.headers["retry-after"], "1");
  assert.equal((await busy.get("/api/projects")).status, 200);
});

test("a route that does not declare what it needs, or cannot check it, prevents the boot", () => {
  const app = Fastify();
  const lookups = new CachedLookups();
  guard(app, {
    slots: new RequestSlots(),
    db: t.db,
    authority: new Authority(t.db, lookups),
    lookups,
    limiter: new RateLimiter(t.database.pool),
    limits: {
      api: 1,
      session: 1,
      dismiss: 1,
      ingest: 1,
      sign_in: 1,
      feedback_address: 1,
      feedback_key: 1,
    },
    feedbackLimits: new FeedbackLimits(new RateLimiter(t.database.pool), { address: 1, key: 1 }),
    keyLimits: new KeyLimits(new RateLimiter(t.database.pool), 1),
    publicUrl: () => "http://localhost:3000",
  });
  const add = (url: string, config?: FastifyContextConfig) => () =>
    app.get(url, config ? { config } : {}, () => "never");
  assert.throws(add("/undeclared"), /GET \/undeclared does not declare what it needs/);
  assert.throws(add("/undeclared", { limit: "api" }), /does not declare what it needs/);
  assert.throws(add("/things", { needs: "reports:read" }), /has no project in its path/);
  assert.throws(add("/things", { needs: "access" }), /has no project in its path/);
  assert.throws(add("/:projectId/things", { needs: "caller" }), /does not check its project/);
  assert.throws(add("/:projectId/things", { needs: "nothing" }), /does not check its project/);
  assert.throws(add("/things", { needs: "member" }), /does not check its workspace/);
  assert.throws(add("/:workspaceId/things", { needs: "caller" }), /does not check its workspace/);
  assert.throws(add("/:workspaceId/things", { needs: "member", limit: "none" }), /has no limit/);
  const change = { config: { needs: "caller", limit: "none" } } as const;
  assert.throws(() => app.post("/things", change, () => "never"), /has no limit/);
  assert.throws(add("/things", { needs: "caller", session: "optional" }), /has a caller already/);
  assert.doesNotThrow(add("/:projectId/right", { needs: "reports:read" }));
});

test("if the public URL is https, every response makes browsers use only https", async () => {
  const secure = await openTestApp({ PUBLIC_URL: "https://signalbox.example.com" });
  for (const url of ["/api/health", "/api/profile", "/api/projects/%E0%A4%A"])
    assert.equal((await secure.http.get(url)).headers["strict-transport-security"], "max-age=31536000", url);
  await secure.close();
});
