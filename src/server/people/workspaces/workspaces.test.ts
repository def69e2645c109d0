import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { BUILT_IN_ROLES } from "../../../shared/permissions.ts";
import type { Role } from "../../../shared/roles.ts";

const t = await useTestApp();

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

test("an administrator can create another workspace, which has them as administrator and the built-in roles", async () => {
  const { admin } = await makeWorkspace(t.db);
  const client = await as(admin);
  const made = await client.post("/api/workspaces", { name: "Second", features: { reports: false } });
  assert.equal(made.status, 201);
  const { id, created_at, updated_at, ...rest } = made.body;
  assert.deepEqual(rest, {
    name: "Second",
    features: { reports: false, error_tracking: true },
    is_admin: true,
  });
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.ok(updated_at);
  assert.deepEqual((await client.get(`/api/workspaces/${id}`)).body, made.body);
  const roles = await client.get(`/api/workspaces/${id}/roles`);
  assert.deepEqual(
    roles.body.data.map(({ name, permissions, built_in }: Role) => ({ name, permissions, built_in })),
    BUILT_IN_ROLES.map((role) => ({ name: role.name, permissions: [...role.permissions], built_in: true })),
  );
  const plain = await client.post("/api/workspaces", { name: "Third" });
  assert.deepEqual(plain.body.features, { reports: true, error_tracking: true });
});

test("a user who administers no workspace cannot create one, whatever the body", async () => {
  const { id } = await makeWorkspace(t.db);
  const member = await as(await makeWorkspaceMember(t.db, id));
  assert.equal((await member.post("/api/workspaces", { name: "Mine" })).status, 403);
  const broken = { method: "POST", url: "/api/workspaces", headers: { "content-type": "application/json" } };
  assert.equal((await member.send({ ...broken, payload: "{" })).status, 403);
  assert.deepEqual((await member.get("/api/workspaces")).body.data.length, 1);
});

test("the list contains the caller's workspaces and has pages by cursor", async () => {
  const one = await makeWorkspace(t.db);
  const two = await makeWorkspace(t.db);
  await makeWorkspace(t.db);
  const user = await makeWorkspaceMember(t.db, one.id);
  await makeWorkspaceMember(t.db, two.id, { user, is_admin: true });
  const client = await as(user);
  const list = await client.get("/api/workspaces");
  assert.deepEqual(
    list.body.data.map((row: { id: number; is_admin: boolean }) => [row.id, row.is_admin]),
    [
      [one.id, false],
      [two.id, true],
    ],
  );
  const first = await client.get("/api/workspaces?limit=1");
  const second = await client.get(`/api/workspaces?limit=1&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual([...first.body.data, ...second.body.data], list.body.data);
  assert.equal(second.body.meta.next_cursor, null);
});

test("a workspace returns 404 if unknown, 403 for others, and every member can read it", async () => {
  const { id } = await makeWorkspace(t.db);
  const member = await as(await makeWorkspaceMember(t.db, id));
  const outsider = await as((await makeWorkspace(t.db)).admin);
  const nobody = await as(await makeUser(t.db));
  for (const path of ["", "/members", "/roles"]) {
    assert.equal((await member.get(`/api/workspaces/${id}${path}`)).status, 200, path);
    assert.equal((await outsider.get(`/api/workspaces/${id}${path}`)).status, 403, path);
    assert.equal((await nobody.get(`/api/workspaces/${id}${path}`)).status, 403, path);
    assert.equal((await t.http.get(`/api/workspaces/${id}${path}`)).status, 401, path);
    for (const wrong of ["999999", "x", "0", "99999999999999999999"])
      assert.equal((await member.get(`/api/workspaces/${wrong}${path}`)).status, 404, wrong);
  }
});

test("a PATCH by an administrator changes only the sent fields, even a single feature", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = await as(admin);
  const url = `/api/workspaces/${id}`;
  const before = (await client.get(url)).body;
  assert.deepEqual((await client.patch(url, {})).body, before);
  assert.deepEqual((await client.patch(url, { name: null, features: null })).body, before);
  assert.deepEqual((await client.patch(url, { features: { reports: null } })).body, before);
  const off = (await client.patch(url, { features: { error_tracking: false } })).body;
  assert.deepEqual(off.features, { reports: true, error_tracking: false });
  assert.ok(off.updated_at > before.updated_at);
  const renamed = (await client.patch(url, { name: "Renamed" })).body;
  assert.deepEqual([renamed.name, renamed.features], ["Renamed", off.features]);
  assert.deepEqual((await client.get(url)).body, renamed);
  const member = await as(await makeWorkspaceMember(t.db, id));
  assert.equal((await member.patch(url, { name: "Mine" })).status, 403);
  assert.equal((await member.get(url)).body.name, "Renamed");
});

test("switching a feature off or on takes effect at once in every project", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const project = await makeProject(t.db, id);
  const client = await as(admin);
  const groups = `/api/projects/${project.id}/error-groups`;
  assert.equal((await client.get(groups)).status, 200);
  await client.patch(`/api/workspaces/${id}`, { features: { error_tracking: false } });
  const refused = await client.get(groups);
  assert.equal(refused.status, 403);
  assert.equal(refused.body.feature_restricted, true);
  assert.deepEqual((await client.get(`/api/projects/${project.id}`)).body.features, {
    reports: true,
    error_tracking: false,
  });
  await client.patch(`/api/workspaces/${id}`, { features: { error_tracking: true } });
  assert.equal((await client.get(groups)).status, 200);
});

test("missing fields and wrong types return 422 on their fields", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = await as(admin);
  assert.deepEqual(fieldsOf(await client.post("/api/workspaces", {})), ["name"]);
  assert.deepEqual(fieldsOf(await client.post("/api/workspaces", { name: "x".repeat(101), features: [] })), [
    "features",
    "name",
  ]);
  const features = { reports: "yes", error_tracking: 1 };
  assert.deepEqual(fieldsOf(await client.patch(`/api/workspaces/${id}`, { name: "", features })), [
    "features.error_tracking",
    "features.reports",
    "name",
  ]);
});

test("a project token cannot read a workspace", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const project = await makeProject(t.db, id);
  const owner = await makeMember(t.db, project.id, { user: admin, is_owner: true });
  const token = t.http.as(await makeProjectToken(t.db, project.id, owner.id));
  assert.equal((await token.get("/api/workspaces")).status, 403);
  assert.equal((await token.post("/api/workspaces", { name: "X" })).status, 403);
  assert.equal((await token.get(`/api/workspaces/${id}`)).status, 403);
  assert.equal((await token.get("/api/workspaces/999999")).status, 404);
  assert.equal((await token.get(`/api/workspaces/${id}/members`)).status, 403);
  assert.equal((await token.delete(`/api/workspaces/${id}/members/${owner.id}`)).status, 403);
});

test("a list of roles has pages by cursor", async () => {
  const { id, admin } = await makeWorkspace(t.db);
  const client = await as(admin);
  const first = await client.get(`/api/workspaces/${id}/roles?limit=3`);
  const second = await client.get(
    `/api/workspaces/${id}/roles?limit=3&cursor=${first.body.meta.next_cursor}`,
  );
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map((role: { name: string }) => role.name),
    ["Manager", "Member", "Reporter", "Viewer"],
  );
  assert.equal(second.body.meta.next_cursor, null);
});
