import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = workspace.admin;
const a = await projectWithGroup(workspace, 2);
const b = await projectWithGroup(workspace, 1);

async function projectWithGroup(workspace: { id: number; admin: TestUser }, last_seen = 0) {
  const project = await openProject(t, workspace);
  const { id: group } = await makeErrorGroup(t.db, project, { last_seen });
  return { id: project.id, group };
}

async function switchOff(workspace: { id: number; admin: TestUser }) {
  const features = { error_tracking: false };
  const answer = await (await person(workspace.admin)).patch(`/api/workspaces/${workspace.id}`, { features });
  assert.equal(answer.status, 200, answer.text);
}

const person = async (user: TestUser, options?: { write: boolean }) =>
  t.http.as(await makePersonalToken(t.db, user.id, options));

/** The group ids in the cross-project list. */
async function listed(http: Client, query = ""): Promise<number[]> {
  const answer = await http.get(`/api/error-groups${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.meta.count, answer.body.data.length);
  return answer.body.data.map((group: { id: number }) => group.id);
}

test("an administrator sees the groups of every project of the workspace, by token and by cookie", async () => {
  assert.deepEqual(await listed(await person(admin)), [b.group, a.group]);
  assert.deepEqual(await listed(t.http.withCookie(await makeCookie(t.db, admin.id))), [b.group, a.group]);
});

test("the limit applies to all projects together", async () => {
  const answer = await (await person(admin)).get("/api/error-groups?limit=1");
  const { next_cursor, ...meta } = answer.body.meta;
  assert.equal(typeof next_cursor, "string");
  assert.deepEqual(meta, { truncated: true, count: 1, limit: 1 });
  assert.equal(answer.body.data[0].id, b.group);
});

test("an administrator of another workspace sees nothing of this one", async () => {
  const other = await makeWorkspace(t.db);
  const own = await projectWithGroup(other);
  const http = await person(other.admin);
  assert.deepEqual(await listed(http), [own.group]);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups`)).status, 403);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups/${a.group}`)).status, 403);
});

test("a member sees only the groups of their own projects", async () => {
  const http = await person(await makeMember(t.db, a.id, { role: "Viewer" }));
  assert.deepEqual(await listed(http), [a.group]);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups`)).status, 200);
  assert.equal((await http.get(`/api/projects/${b.id}/error-groups`)).status, 403);
});

test("a role without Error Groups: Read sees no groups, but an owner sees them with any role", async () => {
  const reporter = await person(await makeMember(t.db, a.id, { role: "Reporter" }));
  assert.deepEqual(await listed(reporter), []);
  assert.equal((await reporter.get(`/api/projects/${a.id}/error-groups`)).status, 403);
  assert.equal((await reporter.get(`/api/projects/${a.id}/error-groups/${a.group}`)).status, 403);
  const owner = await person(await makeMember(t.db, a.id, { role: "Reporter", is_owner: true }));
  assert.deepEqual(await listed(owner), [a.group]);
  assert.equal((await owner.get(`/api/projects/${a.id}/error-groups/${a.group}`)).status, 200);
});

test("Error Groups: Read alone is sufficient for reading and permits nothing else", async () => {
  const user = await makeMember(t.db, a.id, { role: { permissions: ["error-groups:read"] } });
  const http = await person(user);
  assert.deepEqual(await listed(http), [a.group]);
  assert.equal((await http.post(`/api/projects/${a.id}/error-groups/${a.group}/resolve`)).status, 403);
});

test("a read-only personal token can read all lists", async () => {
  const http = await person(admin, { write: false });
  assert.deepEqual(await listed(http), [b.group, a.group]);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups`)).body.data[0].id, a.group);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups/${a.group}`)).body.id, a.group);
});

test("a project token, Read or Read & write, sees only its own project's groups", async () => {
  for (const access of ["read", "read_write"] as const) {
    const http = t.http.as(await makeProjectToken(t.db, a.id, admin.id, { access }));
    assert.deepEqual(await listed(http), [a.group]);
    assert.deepEqual(await listed(http, `?project_id=${b.id}`), []);
    assert.equal((await http.get(`/api/projects/${a.id}/error-groups/${a.group}`)).status, 200);
    assert.equal((await http.get(`/api/projects/${b.id}/error-groups`)).status, 403);
  }
});

test("a project token has its creator's permissions and stops working when the creator loses access", async () => {
  const reporter = await makeMember(t.db, a.id, { role: "Reporter" });
  const http = t.http.as(await makeProjectToken(t.db, a.id, reporter.id));
  assert.deepEqual(await listed(http), []);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups`)).status, 403);
  const gone = t.http.as(await makeProjectToken(t.db, a.id, (await makeUser(t.db)).id));
  assert.equal((await gone.get("/api/error-groups")).status, 403);
  assert.equal((await gone.get(`/api/projects/${a.id}/error-groups`)).status, 403);
});

test("an inactive project token sees nothing", async () => {
  const http = t.http.as(await makeProjectToken(t.db, a.id, admin.id, { active: false }));
  assert.deepEqual(await listed(http), []);
  assert.equal((await http.get(`/api/projects/${a.id}/error-groups`)).status, 403);
});

test("project_id filters the list; a project that is unknown or inaccessible gives an empty list", async () => {
  const http = await person(await makeMember(t.db, a.id));
  assert.deepEqual(await listed(http, `?project_id=${a.id}`), [a.group]);
  for (const id of [b.id, 999_999_999]) {
    const answer = await http.get(`/api/error-groups?project_id=${id}`);
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { data: [], meta: { truncated: false, count: 0, limit: 500, next_cursor: null } }],
    );
  }
});

test("if one of two workspaces lacks the feature, the list shows the groups of the other", async () => {
  const off = await makeWorkspace(t.db);
  const on = await makeWorkspace(t.db, { admin: off.admin });
  const hidden = await projectWithGroup(off);
  const shown = await projectWithGroup(on);
  await switchOff(off);
  const http = await person(off.admin);
  assert.deepEqual(await listed(http), [shown.group]);
  assert.deepEqual(await listed(http, `?project_id=${hidden.id}`), []);
  const answer = await http.get(`/api/projects/${hidden.id}/error-groups`);
  assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
});

test("without the feature in any workspace, the response is 403 with feature_restricted before any other check", async () => {
  const off = await makeWorkspace(t.db);
  const { id, group } = await projectWithGroup(off);
  await switchOff(off);
  const http = await person(off.admin);
  const token = t.http.as(await makeProjectToken(t.db, id, off.admin.id));
  const json = { "content-type": "application/json" };
  for (const answer of [
    await http.get("/api/error-groups"),
    await http.get("/api/error-groups?limit=abc"),
    await token.get("/api/error-groups"),
    await http.get(`/api/projects/${id}/error-groups`),
    await http.get(`/api/projects/${id}/error-groups/${group}`),
    await http.post(`/api/projects/${id}/error-groups/${group}/resolve`),
    await http.post("/api/error-groups/bulk-status", { error_group_ids: [group], status: 1 }),
    await http.send({ method: "POST", url: "/api/error-groups/bulk-status", headers: json, payload: "{" }),
    await http.post("/api/error-groups/bulk-status", { error_group_ids: [], status: "1" }),
  ])
    assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true], answer.text);
  const row = await t.db
    .selectFrom("error_groups")
    .select("status")
    .where("id", "=", group)
    .executeTakeFirst();
  assert.equal(row?.status, 0);
});

test("a member of a workspace without any project gets an empty list, and bulk changes refuse all ids", async () => {
  const http = await person(await makeWorkspaceMember(t.db, workspace.id));
  assert.deepEqual(await listed(http), []);
  for (const [change, body] of Object.entries({ status: { status: 1 }, assign: { assignee_id: null } })) {
    const answer = await http.post(`/api/error-groups/bulk-${change}`, {
      error_group_ids: [a.group],
      ...body,
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { data: [], refused_ids: [a.group] });
  }
});

test("a request without a credential returns 401", async () => {
  for (const url of ["/api/error-groups", `/api/projects/${a.id}/error-groups`])
    assert.equal((await t.http.get(url)).status, 401);
});

test("a project that does not exist returns 404 even to an administrator", async () => {
  const http = await person(admin);
  assert.equal((await http.get("/api/projects/999999999/error-groups")).status, 404);
  assert.equal((await http.get("/api/projects/abc/error-groups")).status, 404);
});
