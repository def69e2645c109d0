import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../../test/support/client.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
  type TestUser,
} from "../../../../../test/support/make.ts";
import { anEvent } from "../../../../../test/support/error-events.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;

let project: { id: number };
let owner: TestUser;
let client: Client;
let url: string;
beforeEach(async () => {
  project = await makeProject(t.db, workspaceId);
  owner = await makeMember(t.db, project.id, { is_owner: true });
  client = await as(owner);
  url = `/api/projects/${project.id}/tokens`;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const groups = () => `/api/projects/${project.id}/error-groups`;
const events = () => `/api/projects/${project.id}/error-events`;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test("a project has at most 50 tokens", async () => {
  for (let n = 0; n < 50; n++) await makeProjectToken(t.db, project.id, owner.id);
  const refused = await client.post(url, { name: "One more", access: "read" });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [422, "A project can have at most 50 tokens. Delete one first."],
  );
});

test("a project token is shown once, stored hashed, and reads its project", async () => {
  const made = await client.post(url, { name: "CI", access: "read" });
  assert.equal(made.status, 201);
  const { token, ...row } = made.body;
  assert.match(token, /^sbx_prj_[0-9A-Za-z]{49}$/);
  assert.deepEqual(
    { ...row, id: 0, created_at: "" },
    {
      id: 0,
      name: "CI",
      access: "read",
      active: true,
      last_four: token.slice(-4),
      created_by: owner.id,
      expires_at: null,
      last_used_at: null,
      created_at: "",
    },
  );
  assert.equal((await t.http.as(token).get(groups())).status, 200);
  const list = await client.get(url);
  assert.equal(list.body.data.length, 1);
  assert.equal(list.body.data[0].token, undefined);
  assert.match(list.body.data[0].last_used_at, /^\d{4}-/);
  const stored = await t.db.selectFrom("project_tokens").selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(token));
});

test("only read_write tokens can send events, and a PATCH changes a token's access", async () => {
  const made = await client.post(url, { name: "app", access: "read" });
  const token = t.http.as(made.body.token);
  assert.equal((await token.post(events(), anEvent())).status, 403);
  const changed = await client.patch(`${url}/${made.body.id}`, { access: "read_write" });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.access, "read_write");
  assert.equal(changed.body.token, undefined);
  assert.equal((await token.post(events(), anEvent())).status, 202);
  await client.patch(`${url}/${made.body.id}`, { access: "read" });
  assert.equal((await token.post(events(), anEvent())).status, 403);
});

test("an inactive token returns 403 at once, and works again once it is active", async () => {
  const made = await client.post(url, { name: "app", access: "read" });
  const token = t.http.as(made.body.token);
  assert.equal((await token.get(groups())).status, 200);
  assert.equal((await client.patch(`${url}/${made.body.id}`, { active: false })).body.active, false);
  assert.equal((await token.get(groups())).status, 403);
  await client.patch(`${url}/${made.body.id}`, { active: true });
  assert.equal((await token.get(groups())).status, 200);
  const asleep = await client.post(url, { name: "later", access: "read", active: false });
  assert.equal((await t.http.as(asleep.body.token).get(groups())).status, 403);
});

test("deleted and expired tokens return 401 at once", async () => {
  const made = await client.post(url, { name: "app", access: "read", expires_at: inAnHour() });
  const token = t.http.as(made.body.token);
  assert.equal((await token.get(groups())).status, 200);
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 204);
  assert.equal((await token.get(groups())).status, 401);
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 404);
  const expired = await makeProjectToken(t.db, project.id, owner.id, { expired: true });
  assert.equal((await t.http.as(expired).get(groups())).status, 401);
});

test("a PATCH changes only the sent fields, and null removes the expiry", async () => {
  const expires_at = inAnHour();
  const made = await client.post(url, { name: "app", access: "read", expires_at });
  assert.equal(Date.parse(made.body.expires_at), Date.parse(expires_at));
  const { token: _, ...before } = made.body;
  const path = `${url}/${before.id}`;
  assert.deepEqual((await client.patch(path, {})).body, before);
  assert.deepEqual((await client.patch(path, { name: null, access: null, active: null })).body, before);
  assert.deepEqual((await client.patch(path, { name: "renamed" })).body, { ...before, name: "renamed" });
  const cleared = { ...before, name: "renamed", expires_at: null };
  assert.deepEqual((await client.patch(path, { expires_at: null })).body, cleared);
  assert.deepEqual((await client.get(url)).body.data, [cleared]);
});

test("missing fields, wrong types and an expiry in the past return 422 on their fields", async () => {
  const fields = async (body: unknown) => Object.keys((await client.post(url, body)).body.errors).sort();
  assert.deepEqual(await fields({}), ["access", "name"]);
  assert.deepEqual(await fields({ name: " ", access: "write", active: "yes", expires_at: 5 }), [
    "access",
    "active",
    "expires_at",
    "name",
  ]);
  assert.deepEqual(await fields({ name: "x".repeat(101), access: "read" }), ["name"]);
  for (const expires_at of [
    "2001-01-01T00:00:00Z",
    "tomorrow",
    "2099-02-30T00:00:00Z",
    "2099-01-01T00:00:00",
    "2099-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999-15:00",
    "0000-01-01T00:00:00Z",
  ])
    assert.deepEqual(await fields({ name: "x", access: "read", expires_at }), ["expires_at"], expires_at);
  assert.deepEqual((await client.get(url)).body.data, []);
});

test("a token of another project returns 404 before the body is validated", async () => {
  const other = await makeProject(t.db, workspaceId);
  const admin = await as(await makeMember(t.db, other.id, { user: owner, is_owner: true }));
  const made = await admin.post(`/api/projects/${other.id}/tokens`, { name: "other", access: "read" });
  for (const id of [made.body.id, 999_999, "x"]) {
    assert.equal((await client.patch(`${url}/${id}`, { name: 5 })).status, 404, String(id));
    assert.equal((await client.delete(`${url}/${id}`)).status, 404, String(id));
  }
  assert.equal((await t.http.as(made.body.token).get(groups())).status, 403);
  assert.equal((await t.http.as(made.body.token).get(`/api/projects/${other.id}/error-groups`)).status, 200);
});

test("managing tokens requires project:update with a session or a personal token", async () => {
  const viewer = await as(await makeMember(t.db, project.id, { role: "Member" }));
  assert.equal((await viewer.get(url)).status, 403);
  assert.equal((await viewer.post(url, { name: "x", access: "read" })).status, 403);
  const manager = await makeMember(t.db, project.id, { role: "Manager" });
  const browser = t.http.withCookie(await makeCookie(t.db, manager.id));
  const made = await browser.post(url, { name: "x", access: "read_write" });
  assert.equal(made.status, 201);
  const token = t.http.as(made.body.token);
  assert.equal((await token.get(url)).status, 403);
  assert.equal((await token.post(url, { name: "more", access: "read_write" })).status, 403);
  assert.equal((await token.patch(`${url}/${made.body.id}`, { access: "read_write" })).status, 403);
  assert.equal((await token.delete(`${url}/${made.body.id}`)).status, 403);
  const reader = t.http.as(await makePersonalToken(t.db, manager.id, { write: false }));
  assert.equal((await reader.get(url)).status, 200);
  assert.equal((await reader.post(url, { name: "x", access: "read" })).status, 403);
});

test("changing a token requires every permission of its creator, and revoking it does not", async () => {
  const admin = await as(owner);
  const made = await admin.post(url, { name: "owner's", access: "read" });
  const path = `${url}/${made.body.id}`;
  const settings = { permissions: ["project:update"] };
  const keeper = await as(await makeMember(t.db, project.id, { role: settings }));
  for (const change of [{ access: "read_write" }, { active: true }, { expires_at: null }, { name: "mine" }])
    assert.equal((await keeper.patch(path, change)).status, 403, JSON.stringify(change));
  assert.equal((await admin.get(url)).body.data[0].access, "read");
  const manager = await as(await makeMember(t.db, project.id, { role: "Manager" }));
  assert.equal((await manager.patch(path, { access: "read_write" })).status, 200);
  const own = await keeper.post(url, { name: "own", access: "read" });
  assert.equal((await keeper.patch(`${url}/${own.body.id}`, { access: "read_write" })).status, 200);
  assert.equal((await keeper.delete(path)).status, 204);
});

test("a token whose creator has lost access can only be revoked", async () => {
  const leaver = await makeMember(t.db, project.id, { role: "Manager" });
  const made = await (await as(leaver)).post(url, { name: "left", access: "read" });
  await t.db.deleteFrom("project_members").where("user_id", "=", leaver.id).execute();
  const path = `${url}/${made.body.id}`;
  assert.equal((await client.patch(path, { access: "read_write" })).status, 403);
  assert.equal((await client.delete(path)).status, 204);
});

test("a list of tokens has pages by cursor", async () => {
  for (const name of ["a", "b", "c"]) await client.post(url, { name, access: "read" });
  const first = await client.get(`${url}?limit=2`);
  const second = await client.get(`${url}?limit=2&cursor=${first.body.meta.next_cursor}`);
  const names = [...first.body.data, ...second.body.data].map((row: { name: string }) => row.name);
  assert.deepEqual(names, ["a", "b", "c"]);
  assert.equal(second.body.meta.next_cursor, null);
});
