import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../../test/support/client.ts";
import { collide } from "../../../../../test/support/collide.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();

let workspaceId: number;
let url: string;
let admin: TestUser;
let client: Client;
beforeEach(async () => {
  ({ id: workspaceId, admin } = await makeWorkspace(t.db));
  url = `/api/workspaces/${workspaceId}/members`;
  client = await as(admin);
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

test("every member can list the members of the workspace", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const list = await (await as(user)).get(url);
  assert.deepEqual(list.body, {
    data: [admin, user].map(({ id, username }, index) => ({
      user_id: id,
      username,
      first_name: "Ada",
      last_name: "Moss",
      profile_picture: null,
      is_admin: index === 0,
      active: true,
    })),
    meta: { next_cursor: null },
  });
  const first = await client.get(`${url}?limit=1`);
  const second = await client.get(`${url}?limit=1&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual([...first.body.data, ...second.body.data], list.body.data);
});

test("making a member an administrator, and a plain member again, takes effect at once", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const other = await as(user);
  assert.equal((await other.patch(`/api/workspaces/${workspaceId}`, {})).status, 403);
  const browser = t.http.withCookie(await makeCookie(t.db, admin.id));
  const lifted = await browser.patch(`${url}/${user.id}`, { is_admin: true });
  assert.equal(lifted.status, 200);
  assert.equal(lifted.body.is_admin, true);
  assert.equal((await other.patch(`/api/workspaces/${workspaceId}`, {})).status, 200);
  assert.equal((await client.patch(`${url}/${user.id}`, {})).body.is_admin, true);
  assert.equal((await client.patch(`${url}/${user.id}`, { is_admin: null })).body.is_admin, true);
  assert.equal((await client.patch(`${url}/${user.id}`, { is_admin: false })).body.is_admin, false);
  assert.equal((await other.patch(`/api/workspaces/${workspaceId}`, {})).status, 403);
});

test("a token can neither make an administrator nor reactivate one", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const former = await makeWorkspaceMember(t.db, workspaceId, { is_admin: true });
  assert.equal((await client.patch(`${url}/${user.id}`, { is_admin: true })).status, 403);
  assert.equal((await client.patch(`${url}/${former.id}`, { active: false })).status, 200);
  assert.equal((await client.patch(`${url}/${former.id}`, { active: true })).status, 403);
  const plain = await client.patch(`${url}/${former.id}`, { active: true, is_admin: false });
  assert.deepEqual([plain.status, plain.body.active, plain.body.is_admin], [200, true, false]);
});

test("a removed member loses the workspace, its projects and their tokens at once", async () => {
  const project = await makeProject(t.db, workspaceId);
  const user = await makeMember(t.db, project.id, { role: "Manager" });
  const member = await as(user);
  const token = t.http.as(await makeProjectToken(t.db, project.id, user.id));
  assert.equal((await member.get(`/api/projects/${project.id}`)).status, 200);
  assert.equal((await token.get(`/api/projects/${project.id}/error-groups`)).status, 200);
  assert.equal((await client.delete(`${url}/${user.id}`)).status, 204);
  assert.equal((await member.get(`/api/projects/${project.id}`)).status, 403);
  assert.equal((await member.get(`/api/workspaces/${workspaceId}`)).status, 403);
  assert.equal((await token.get(`/api/projects/${project.id}/error-groups`)).status, 403);
  assert.deepEqual((await client.get(`/api/projects/${project.id}/members`)).body.data, []);
  assert.equal((await client.delete(`${url}/${user.id}`)).status, 404);
});

test("the last administrator can be neither removed nor made a plain member", async () => {
  await makeWorkspaceMember(t.db, workspaceId);
  const demoted = await client.patch(`${url}/${admin.id}`, { is_admin: false });
  assert.equal(demoted.status, 422);
  assert.deepEqual(Object.keys(demoted.body.errors), ["is_admin"]);
  const removed = await client.delete(`${url}/${admin.id}`);
  assert.equal(removed.status, 422);
  assert.match(removed.body.message, /last administrator/);
  assert.equal((await client.get(url)).body.data[0].is_admin, true);
});

test("one of two administrators can be removed, even by themselves", async () => {
  const second = await makeWorkspaceMember(t.db, workspaceId, { is_admin: true });
  assert.equal((await client.delete(`${url}/${admin.id}`)).status, 204);
  assert.equal((await client.get(url)).status, 403);
  assert.equal((await (await as(second)).delete(`${url}/${second.id}`)).status, 422);
});

for (const how of ["demote", "remove"] as const)
  test(`if two administrators ${how} each other concurrently, one stays`, async () => {
    const second = await makeWorkspaceMember(t.db, workspaceId, { is_admin: true });
    const other = await as(second);
    const lock = `select from workspace_members where workspace_id = ${workspaceId} for update`;
    const take = (one: Client, user: TestUser) =>
      how === "demote"
        ? one.patch(`${url}/${user.id}`, { is_admin: false })
        : one.delete(`${url}/${user.id}`);
    const answers = await collide(t.database, lock, async (waiting) => {
      const requests = [take(client, second), take(other, admin)];
      await waiting(2);
      return requests;
    });
    assert.deepEqual(answers.map((answer) => answer.status).sort(byNumber), [
      how === "demote" ? 200 : 204,
      422,
    ]);
    const left = await t.db
      .selectFrom("workspace_members")
      .select("user_id")
      .where("workspace_id", "=", workspaceId)
      .where("is_admin", "=", true)
      .execute();
    assert.equal(left.length, 1);
  });

const byNumber = (a: number, b: number) => a - b;

test("only administrators can change members, and a user of another workspace returns 404", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const member = await as(user);
  assert.equal((await member.patch(`${url}/${user.id}`, { is_admin: true })).status, 403);
  assert.equal((await member.delete(`${url}/${user.id}`)).status, 403);
  const other = await makeWorkspace(t.db);
  for (const id of [other.admin.id, 999_999, "x"]) {
    assert.equal((await client.patch(`${url}/${id}`, { is_admin: "wrong" })).status, 404, String(id));
    assert.equal((await client.delete(`${url}/${id}`)).status, 404, String(id));
  }
  const outsider = await as(other.admin);
  assert.equal((await outsider.delete(`${url}/${user.id}`)).status, 403);
  const wrong = await client.patch(`${url}/${user.id}`, { is_admin: "yes" });
  assert.deepEqual(wrong.body.errors, { is_admin: ["must be true or false"] });
});
