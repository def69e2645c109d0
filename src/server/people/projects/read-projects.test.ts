import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { newKey, openWorkspace } from "../../../../test/support/workspace.ts";
import { PERMISSIONS } from "../../../shared/permissions.ts";

const t = await useTestApp();
const { id: workspaceId, person, as, member } = await openWorkspace(t);

const keysOf = (rows: { key: string }[]) => rows.map((row) => row.key);

test("a project is found by its id and by its key, and an omitted description reads null", async () => {
  const key = newKey();
  const { body } = await member.post("/api/projects", { key, name: "Plain" });
  assert.equal(body.description, null);
  assert.deepEqual((await member.get(`/api/projects/${body.id}`)).body, body);
  assert.deepEqual((await member.get(`/api/projects/${key}`)).body, body);
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
