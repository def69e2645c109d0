import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent } from "../../../../test/support/error-events.ts";
import { listenTo } from "../../../../test/support/event-stream.ts";
import { makeCookie, makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Scope } from "../../../shared/token-scopes.ts";

const t = await useTestApp();
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
const project = await openProject(t, workspace);
const other = await openProject(t, workspace);
const p = `/api/projects/${project.id}`;

const TOKENS = "/api/profile/tokens";
const scoped = async (scopes: Scope[], project_ids = [project.id]) =>
  t.http.as(await makePersonalToken(t.db, workspace.admin.id, { scopes, project_ids }));

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

test("a token shows its scopes and projects, and writes if one of its scopes does", async () => {
  const limits = { scopes: ["issues:write", "errors:read"], project_ids: [project.id] };
  const created = await browser.post(TOKENS, { name: "agent", write: false, ...limits });
  assert.equal(created.status, 201, created.text);
  const listed = (await browser.get(TOKENS)).body.data.at(-1);
  for (const token of [created.body, listed])
    assert.deepEqual(
      [token.scopes, token.project_ids, token.write],
      [limits.scopes, limits.project_ids, true],
    );
  const reader = await browser.post(TOKENS, {
    name: "reader",
    write: true,
    ...limits,
    scopes: ["issues:read"],
  });
  assert.equal(reader.body.write, false);
  const full = await browser.post(TOKENS, { name: "full", write: true, scopes: null, project_ids: null });
  assert.deepEqual([full.body.scopes, full.body.project_ids, full.body.write], [null, null, true]);
});

test("the audit log names the scopes and projects of a new token", async () => {
  const limits = { scopes: ["reports:read"], project_ids: [project.id] };
  const { id } = (await browser.post(TOKENS, { name: "audited", ...limits })).body;
  const { details } = await t.db
    .selectFrom("audit_events")
    .select("details")
    .where("kind", "=", "token.created")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  assert.ok(id > 0);
  assert.deepEqual(details, { write: false, expires_at: null, ...limits });
});

const elsewhere = await openProject(t, await makeWorkspace(t.db));
const scopes = ["issues:read"];
const project_ids = [project.id];
const REJECTED: [what: string, body: object, field: string][] = [
  ["no scope", { scopes: [], project_ids }, "scopes"],
  ["an unknown scope", { scopes: ["issues:read", "issues:delete"], project_ids }, "scopes.1"],
  ["a scope twice", { scopes: ["issues:read", "issues:read"], project_ids }, "scopes"],
  ["scopes that are no array", { scopes: "issues:read", project_ids }, "scopes"],
  ["scopes without projects", { scopes }, "project_ids"],
  ["projects without scopes", { project_ids }, "scopes"],
  ["no project", { scopes, project_ids: [] }, "project_ids"],
  ["a project twice", { scopes, project_ids: [project.id, project.id] }, "project_ids"],
  ["a project of another workspace", { scopes, project_ids: [project.id, elsewhere.id] }, "project_ids.1"],
  ["an unknown project", { scopes, project_ids: [999_999] }, "project_ids.0"],
  ["a project's key", { scopes, project_ids: ["WEB"] }, "project_ids.0"],
];
for (const [what, body, field] of REJECTED)
  test(`a token with ${what} is 422 on ${field}, and is not created`, async () => {
    const count = async () => (await browser.get(TOKENS)).body.data.length;
    const before = await count();
    const answer = await browser.post(TOKENS, { name: "agent", ...body });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
    assert.equal(await count(), before);
  });

test("projects, issues, errors and search contain only the token's projects and areas", async () => {
  const issue = (await browser.post(`${p}/issues`, { title: "Needle in the shop" })).body;
  await browser.post(`/api/projects/${other.id}/issues`, { title: "Needle elsewhere" });
  const group = await project.first({ message: "Needle broke" });
  await other.first({ message: "Needle broke elsewhere" });
  const forIssues = await scoped(["issues:read"]);
  const forErrors = await scoped(["errors:read"]);

  const projects = (await forIssues.get("/api/projects")).body;
  assert.deepEqual(idsOf(projects), [project.id]);
  assert.deepEqual(projects.data[0].permissions, ["issues:read", "epics:read"]);
  assert.deepEqual(idsOf((await forIssues.get("/api/issues")).body), [issue.id]);
  assert.deepEqual(idsOf((await forErrors.get("/api/error-groups")).body), [group.id]);
  const kinds = async (client: typeof forIssues) =>
    (await client.get("/api/search?query=needle")).body.data.map(
      ({ kind, project_id }: { kind: string; project_id: number }) => [kind, project_id],
    );
  assert.deepEqual(await kinds(forIssues), [["issue", project.id]]);
  assert.deepEqual(await kinds(forErrors), [["error_group", project.id]]);
});

test("a bulk call refuses the ids of projects that the token is not for", async () => {
  const [mine, foreign] = [await openProject(t, workspace), await openProject(t, workspace)];
  const [group, outside] = [await mine.first(), await foreign.first()];
  const writer = await scoped(["errors:write"], [mine.id]);
  const answer = await writer.post("/api/error-groups/bulk-status", {
    error_group_ids: [group.id, outside.id],
    status: 1,
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([idsOf(answer.body), answer.body.refused_ids], [[group.id], [outside.id]]);
  assert.equal((await foreign.only()).status, 0);
  const reader = await scoped(["errors:read", "issues:write"], [mine.id]);
  const refused = await reader.post("/api/error-groups/bulk-status", {
    error_group_ids: [group.id],
    status: 0,
  });
  assert.equal(refused.status, 403);
});

test("ids in a body need the scope of their own area", async () => {
  const report = (await browser.post(`${p}/reports`, { title: "Broken", description: "It broke" })).body;
  const mine = await openProject(t, workspace);
  const { id } = await mine.first();
  const url = `${mine.groups}/${id}/promote`;
  const forErrors = await scoped(["errors:write"], [mine.id]);
  const { status, body } = await forErrors.post(url, { report_ids: [report.id] });
  assert.deepEqual([status, body.message], [403, "You need the permission reports:update in this project."]);
  assert.equal((await mine.only()).linked_issue_id, null);
  assert.equal((await forErrors.post(url, {})).status, 200);
  const promotion = { title: "Broken", description: "It broke", report_ids: [report.id] };
  const forReports = await scoped(["reports:write"]);
  const withErrors = { ...promotion, error_group_ids: [1] };
  assert.equal((await forReports.post(`${p}/reports/promote`, withErrors)).status, 403);
  assert.equal((await forReports.post(`${p}/reports/promote`, promotion)).status, 200);
});

test("a token never has more permissions than its user", async () => {
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const limits = { scopes: ["issues:write" as const], project_ids: [project.id] };
  const token = t.http.as(await makePersonalToken(t.db, viewer.id, limits));
  assert.equal((await token.get(`${p}/issues`)).status, 200);
  assert.equal((await token.post(`${p}/issues`, { title: "Not allowed" })).status, 403);
});

test("error events are accepted with the scope errors:write, in the token's projects only", async () => {
  const send = (client: Awaited<ReturnType<typeof scoped>>, id: number) =>
    client.post(`/api/projects/${id}/error-events`, anEvent());
  const sender = await scoped(["errors:write"]);
  assert.equal((await send(sender, project.id)).status, 202);
  assert.equal((await send(sender, other.id)).status, 403);
  assert.equal((await send(await scoped(["errors:read", "issues:write"]), project.id)).status, 403);
});

test("an event is refused in the same way over HTTP, where known senders are answered directly", async () => {
  const post = async (secret: string, id: number) => {
    const answer = await fetch(`${base}/api/projects/${id}/error-events`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify(anEvent()),
    });
    await answer.text();
    return answer.status;
  };
  const limits = { project_ids: [project.id] };
  const make = (scopes: Scope[]) => makePersonalToken(t.db, workspace.admin.id, { ...limits, scopes });
  const [writer, reader] = [await make(["errors:write"]), await make(["errors:read", "reports:write"])];
  for (let n = 0; n < 3; n++)
    assert.deepEqual(
      [await post(writer, project.id), await post(writer, other.id), await post(reader, project.id)],
      [202, 403, 403],
    );
});

test("settings, integrations and metrics are 403, for administrators too", async () => {
  const token = await scoped(["reports:write", "issues:write", "errors:write"]);
  for (const url of [
    p,
    `${p}/webhooks`,
    `${p}/alert-rules`,
    `${p}/git-connections`,
    `${p}/tokens`,
    `${p}/members`,
    "/api/workspaces",
    "/api/home",
    "/api/notifications",
    "/api/deletions",
    "/api/metrics",
  ])
    assert.equal((await token.get(url)).status, 403, url);
  assert.equal((await token.patch("/api/profile", { first_name: "Eve" })).status, 403);
  assert.equal((await token.post("/api/projects", { name: "New", key: "NEW" })).status, 403);
});

test("a token whose only project was deleted reaches nothing else", async () => {
  const doomed = await openProject(t, workspace);
  const token = await scoped(["issues:write"], [doomed.id]);
  assert.equal((await browser.delete(`/api/projects/${doomed.id}`)).status, 202);
  assert.equal((await token.get(`/api/projects/${doomed.id}/issues`)).status, 404);
  assert.equal((await token.get(`${p}/issues`)).status, 403);
  assert.deepEqual((await token.get("/api/projects")).body.data, []);
  assert.deepEqual((await token.get("/api/issues")).body.data, []);
});

test("a revoked scoped token is 401 at once", async () => {
  const { id, token } = (await browser.post(TOKENS, { name: "brief", scopes, project_ids })).body;
  const client = t.http.as(token);
  assert.equal((await client.get(`${p}/issues`)).status, 200);
  assert.equal((await browser.delete(`${TOKENS}/${id}`)).status, 204);
  assert.equal((await client.get(`${p}/issues`)).status, 401);
});

test("live updates contain only changes in the token's projects and areas", async () => {
  const secret = await makePersonalToken(t.db, workspace.admin.id, {
    scopes: ["issues:read"],
    project_ids: [project.id],
  });
  const stream = await listenTo(base, { authorization: `Bearer ${secret}` });
  await browser.post(`/api/projects/${other.id}/issues`, { title: "Elsewhere" });
  await browser.post(`${p}/reports`, { title: "A report", description: "Not for this token" });
  await browser.patch(`/api/workspaces/${workspace.id}`, { name: "Renamed" });
  const { id } = (await browser.post(`${p}/issues`, { title: "Last" })).body;
  await stream.waitFor(({ data }) => data.kind === "issue" && data.id === id);
  stream.close();
  const others = stream.events.filter(
    ({ data }) => data.kind !== "profile" && (data["project_id"] !== project.id || data.kind === "report"),
  );
  assert.deepEqual(others, []);
});
