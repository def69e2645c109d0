import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { PERMISSIONS } from "../../../shared/permissions.ts";

const t = await useTestApp();
const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const workspace = await makeWorkspace(t.db);
const workspaceId = workspace.id;
const admin = await as(workspace.admin);
/** A member of the workspace without a project. */
const person = await makeWorkspaceMember(t.db, workspaceId);
const member = await as(person);

let count = 0;
const newKey = () => `KEY${++count}`;
const keysOf = (rows: { key: string }[]) => rows.map((row) => row.key);

test("a user who is deactivated concurrently creates no project", async () => {
  const leaving = await makeWorkspaceMember(t.db, workspaceId);
  const client = await as(leaving);
  const deactivation = `update workspace_members set deactivated_at = now() where user_id = ${leaving.id}`;
  const [answer] = await collide(t.database, deactivation, async (waiting) => {
    const request = client.post("/api/projects", { key: newKey(), name: "Late" });
    await waiting(1);
    return [request];
  });
  assert.deepEqual(
    [answer?.status, answer?.body.errors],
    [422, { workspace_id: ["is required: you belong to no workspace"] }],
  );
});

test("any member can create a project, which gets four lanes and the member as owner and Manager", async () => {
  const made = await member.post("/api/projects", {
    key: "WEB",
    name: "Web shop",
    description: "What we sell",
  });
  assert.equal(made.status, 201);
  const { id, created_at, updated_at, permissions, ...rest } = made.body;
  assert.deepEqual(rest, {
    workspace_id: workspaceId,
    key: "WEB",
    name: "Web shop",
    description: "What we sell",
    features: { reports: true, error_tracking: true },
    lifecycle: { close_resolves: false, regression_reopens: false, ship_tells_reporters: false },
    spike: { events: 50, times: 10 },
    keep_vars: false,
    keep_debug_events: false,
    repository_url_pattern: null,
    is_owner: true,
  });
  assert.deepEqual(permissions, [...PERMISSIONS]);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(typeof updated_at, "string");

  const lanes = await member.get(`/api/projects/${id}/lanes`);
  assert.deepEqual(
    lanes.body.data.map((lane: { name: string; kind: string }) => [lane.name, lane.kind]),
    [
      ["Backlog", "backlog"],
      ["To do", "todo"],
      ["In progress", "doing"],
      ["Done", "done"],
    ],
  );
  const roles = await member.get(`/api/workspaces/${workspaceId}/roles`);
  const members = await member.get(`/api/projects/${id}/members`);
  assert.equal(members.body.data.length, 1);
  assert.equal(members.body.data[0].user_id, person.id);
  assert.equal(members.body.data[0].is_owner, true);
  assert.equal(
    members.body.data[0].role_id,
    roles.body.data.find((role: { name: string }) => role.name === "Manager").id,
  );
});

test("a project is found by its id and by its key, and an omitted description reads null", async () => {
  const key = newKey();
  const { body } = await member.post("/api/projects", { key, name: "Plain" });
  assert.equal(body.description, null);
  assert.deepEqual((await member.get(`/api/projects/${body.id}`)).body, body);
  assert.deepEqual((await member.get(`/api/projects/${key}`)).body, body);
});

test("workspace_id returns 422 if it is unknown, inaccessible, or missing with several workspaces", async () => {
  const other = await makeWorkspace(t.db);
  const both = await makeWorkspaceMember(t.db, workspaceId);
  await makeWorkspaceMember(t.db, other.id, { user: both });
  const nowhere = await makeUser(t.db);
  const create = async (client: Client, workspace_id?: unknown) => {
    const answer = await client.post("/api/projects", { key: newKey(), name: "X", workspace_id });
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };
  const refusal = [422, ["workspace_id"]];
  assert.deepEqual(await create(member, 999_999), refusal);
  assert.deepEqual(await create(member, other.id), refusal);
  assert.deepEqual(await create(await as(both)), refusal);
  assert.deepEqual(await create(await as(nowhere)), refusal);
  assert.deepEqual(await create(member, String(workspaceId)), refusal);
  assert.deepEqual(await create(member, Number.MAX_SAFE_INTEGER), refusal);
  assert.deepEqual(await create(member, 2 ** 53), refusal);
  assert.deepEqual(await create(member, null), [201, []]);
  assert.deepEqual(await create(await as(both), other.id), [201, []]);
});

test("a key has 2 to 10 characters of A–Z and 0–9 and begins with a letter", async () => {
  for (const key of [
    "A",
    "1AB",
    "Web",
    "WE-B",
    "WÉB",
    "ABCDEFGHIJK",
    "",
    " WEB",
    "WEB\n",
    12,
    null,
    undefined,
  ]) {
    const answer = await member.post("/api/projects", { key, name: "X" });
    assert.equal(answer.status, 422, String(key));
    assert.deepEqual(Object.keys(answer.body.errors), ["key"], String(key));
  }
  for (const key of ["AB", "Z123456789"])
    assert.equal((await member.post("/api/projects", { key, name: "X" })).status, 201, key);
});

test("a key taken anywhere in the installation returns 422, and nothing is created", async () => {
  const elsewhere = await makeWorkspace(t.db);
  const taken = await makeProject(t.db, elsewhere.id);
  const before = await t.db.selectFrom("projects").select("id").execute();
  const answer = await member.post("/api/projects", { key: taken.key, name: "X" });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, { key: ["is taken"] });
  assert.deepEqual(await t.db.selectFrom("projects").select("id").execute(), before);
});

test("if ten requests race for a key, one gets it", async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => member.post("/api/projects", { key, name: "X" })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 422).length, 9);
});

test("a name is one line of at most 100 characters, a description at most 65,535", async () => {
  const create = (fields: object) => member.post("/api/projects", { key: newKey(), name: "X", ...fields });
  for (const name of ["", "  ", "a\nb", "\u0007", "x".repeat(101), "a\0b", 7, null])
    assert.deepEqual(Object.keys((await create({ name })).body.errors), ["name"], JSON.stringify(name));
  assert.deepEqual(Object.keys((await create({ description: "x".repeat(65_536) })).body.errors), [
    "description",
  ]);
  assert.deepEqual(Object.keys((await create({ description: ["x"] })).body.errors), ["description"]);
  const emoji = await create({ name: "🚂".repeat(100), description: "🚂".repeat(65_535) });
  assert.equal(emoji.status, 201);
  assert.equal(emoji.body.name, "🚂".repeat(100));
});

test("the list contains the accessible projects of all workspaces, and all of an administrator's workspace", async () => {
  const one = await makeWorkspace(t.db);
  const two = await makeWorkspace(t.db);
  const [seen, hidden, far] = [
    await makeProject(t.db, one.id),
    await makeProject(t.db, one.id),
    await makeProject(t.db, two.id),
  ];
  const user = await makeMember(t.db, seen.id, { role: "Viewer" });
  await makeMember(t.db, seen.id, { role: "Manager" });
  await makeMember(t.db, hidden.id, { role: "Manager" });
  await makeMember(t.db, far.id, { user, role: "Reporter" });
  const list = await (await as(user)).get("/api/projects");
  assert.deepEqual(keysOf(list.body.data), [seen.key, far.key]);
  assert.equal(list.body.data[0].is_owner, false);
  assert.ok(list.body.data[0].permissions.includes("reports:read"));
  assert.ok(!list.body.data[0].permissions.includes("reports:create"));
  const all = await (await as(one.admin)).get("/api/projects");
  assert.deepEqual(keysOf(all.body.data), [seen.key, hidden.key]);
  assert.deepEqual(all.body.data[1].permissions, [...PERMISSIONS]);
});

test("the list has pages by cursor without gaps or duplicates", async () => {
  const workspace = await makeWorkspace(t.db);
  const made = [];
  for (let n = 0; n < 5; n++) made.push((await makeProject(t.db, workspace.id)).key);
  const client = await as(workspace.admin);
  const first = await client.get("/api/projects?limit=2");
  const second = await client.get(`/api/projects?limit=2&cursor=${first.body.meta.next_cursor}`);
  const third = await client.get(`/api/projects?limit=2&cursor=${second.body.meta.next_cursor}`);
  assert.deepEqual(
    [...first.body.data, ...second.body.data, ...third.body.data].map((row) => row.key),
    made,
  );
  assert.equal(third.body.meta.next_cursor, null);
  for (const limit of ["0", "201", "-1", "x", "1.5", ""])
    assert.equal((await client.get(`/api/projects?limit=${limit}`)).status, 422, limit);
  assert.equal((await client.get("/api/projects?limit=200")).status, 200);
  assert.equal((await client.get("/api/projects?limit=1&limit=2")).status, 422);
});

test("an unknown project returns 404 and an inaccessible one 403, by id and by key", async () => {
  const foreign = await makeProject(t.db, (await makeWorkspace(t.db)).id);
  const colleagues = await makeProject(t.db, workspaceId);
  for (const ref of ["999999", "NOSUCH", "0", "-1", "1.5", "web", "9999999999999999", "99999999999999999999"])
    assert.equal((await member.get(`/api/projects/${ref}`)).status, 404, ref);
  for (const ref of [foreign.id, foreign.key, colleagues.id, colleagues.key])
    assert.equal((await member.get(`/api/projects/${ref}`)).status, 403, String(ref));
});

test("a PATCH changes only the sent fields: null clears the description, is rejected as a name, and the key stays", async () => {
  const { body: before } = await member.post("/api/projects", {
    key: newKey(),
    name: "Old",
    description: "Text",
  });
  const url = `/api/projects/${before.id}`;
  const untouched = await member.patch(url, { name: null, key: "OTHER", unknown: 1 });
  assert.equal(untouched.status, 200);
  assert.deepEqual(untouched.body, before);
  const renamed = await member.patch(url, { name: "New" });
  assert.equal(renamed.body.name, "New");
  assert.equal(renamed.body.description, "Text");
  assert.ok(renamed.body.updated_at > before.updated_at);
  const cleared = await member.patch(url, { description: null });
  assert.equal(cleared.body.description, null);
  assert.equal(cleared.body.name, "New");
  assert.deepEqual((await member.get(url)).body, cleared.body);
  const wrong = await member.patch(url, { name: "x".repeat(101), description: 5 });
  assert.equal(wrong.status, 422);
  assert.deepEqual(Object.keys(wrong.body.errors).sort(), ["description", "name"]);
  assert.deepEqual((await member.get(url)).body, cleared.body);
});

test("the repository URL pattern is set, validated with a reason, and cleared with null", async () => {
  const pattern = "https://git.example.com/shop/blob/{release}/{path}#L{line}";
  const body = { key: newKey(), name: "Linked", repository_url_pattern: pattern };
  const { body: created } = await member.post("/api/projects", body);
  assert.equal(created.repository_url_pattern, pattern);
  const url = `/api/projects/${created.id}`;
  const wrong = await member.patch(url, { repository_url_pattern: "javascript:alert('{path}')" });
  assert.deepEqual(
    [wrong.status, wrong.body.errors],
    [422, { repository_url_pattern: ["must begin with http:// or https:// and a host"] }],
  );
  assert.equal((await member.get(url)).body.repository_url_pattern, pattern);
  const cleared = await member.patch(url, { repository_url_pattern: null });
  assert.deepEqual([cleared.status, cleared.body.repository_url_pattern], [200, null]);
});

test("updating a project requires project:update, which is checked before the body is read", async () => {
  const project = await makeProject(t.db, workspaceId);
  const url = `/api/projects/${project.id}`;
  const viewer = await as(await makeMember(t.db, project.id, { role: "Viewer" }));
  const broken = { headers: { "content-type": "application/json" }, payload: "{" };
  assert.equal((await viewer.patch(url, { name: "X" })).status, 403);
  assert.equal((await viewer.send({ method: "PATCH", url, ...broken })).status, 403);
  assert.equal((await viewer.send({ method: "PATCH", url: "/api/projects/999999", ...broken })).status, 404);
  assert.equal((await admin.send({ method: "PATCH", url, ...broken })).status, 400);
  const manager = await as(await makeMember(t.db, project.id, { role: "Manager" }));
  assert.equal((await manager.patch(url, { name: "X" })).status, 200);
});

test("only owners and administrators can delete a project, with everything in it", async () => {
  const project = await makeProject(t.db, workspaceId);
  const url = `/api/projects/${project.id}`;
  const manager = await makeMember(t.db, project.id, { role: "Manager" });
  const owner = await makeMember(t.db, project.id, { role: "Viewer", is_owner: true });
  const token = await makeProjectToken(t.db, project.id, manager.id);
  assert.equal((await (await as(manager)).delete(url)).status, 403);
  assert.equal((await admin.get(url)).status, 200);
  assert.equal((await (await as(owner)).delete(url)).status, 202);
  assert.equal((await admin.get(url)).status, 404);
  assert.equal((await admin.delete(url)).status, 404);
  assert.equal((await t.http.as(token).get(`${url}/error-groups`)).status, 401);

  const other = await makeProject(t.db, workspaceId);
  assert.equal((await admin.delete(`/api/projects/${other.id}`)).status, 202);
});

test("adding to a project while it is deleted returns 404", async () => {
  const { body: project } = await member.post("/api/projects", { key: newKey(), name: "X" });
  const url = `/api/projects/${project.id}`;
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const role_id = await makeRole(t.db, workspaceId, "Viewer");
  const lock = `select from projects where id = ${project.id} for update`;
  const [deleted, ...added] = await collide(t.database, lock, async (waiting) => {
    const first = member.delete(url);
    await waiting(1);
    const rest = [
      member.post(`${url}/lanes`, { name: "More", kind: "done" }),
      member.post(`${url}/tokens`, { name: "ci", access: "read" }),
      member.post(`${url}/members`, { user_id: user.id, role_id }),
    ];
    await waiting(4);
    return [first, ...rest];
  });
  assert.equal(deleted?.status, 202);
  assert.deepEqual(
    added.map((answer) => answer.status),
    [404, 404, 404],
  );
});

test("a user removed from the workspace concurrently creates no project", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const client = await as(user);
  const key = newKey();
  const lock = `select from workspace_members where user_id = ${user.id} for update`;
  const [removed, made] = await collide(t.database, lock, async (waiting) => {
    const first = admin.delete(`/api/workspaces/${workspaceId}/members/${user.id}`);
    await waiting(1);
    const second = client.post("/api/projects", { key, name: "X", workspace_id: workspaceId });
    await waiting(2);
    return [first, second];
  });
  assert.equal(removed?.status, 204);
  assert.deepEqual(made?.body.errors, { workspace_id: ["is not a workspace you belong to"] });
  assert.equal((await admin.get(`/api/projects/${key}`)).status, 404);
});

test("a project token can read neither the list of projects nor settings", async () => {
  const project = await makeProject(t.db, workspaceId);
  const owner = await makeMember(t.db, project.id, { is_owner: true });
  const token = t.http.as(await makeProjectToken(t.db, project.id, owner.id));
  assert.equal((await token.get("/api/projects")).status, 403);
  assert.equal((await token.post("/api/projects", { key: newKey(), name: "X" })).status, 403);
  assert.equal((await token.get(`/api/projects/${project.id}`)).status, 403);
  assert.equal((await token.patch(`/api/projects/${project.id}`, { name: "X" })).status, 403);
  assert.equal((await token.delete(`/api/projects/${project.id}`)).status, 403);
});

test("a personal token without the write scope can read projects but not change them", async () => {
  const reader = t.http.as(await makePersonalToken(t.db, person.id, { write: false }));
  const { body: project } = await member.post("/api/projects", { key: newKey(), name: "X" });
  assert.equal((await reader.get(`/api/projects/${project.id}`)).status, 200);
  assert.equal((await reader.get("/api/projects")).status, 200);
  assert.equal((await reader.post("/api/projects", { key: newKey(), name: "X" })).status, 403);
  assert.equal((await reader.patch(`/api/projects/${project.id}`, { name: "Y" })).status, 403);
  assert.equal((await reader.delete(`/api/projects/${project.id}`)).status, 403);
  assert.equal((await member.get(`/api/projects/${project.id}`)).body.name, "X");
});
