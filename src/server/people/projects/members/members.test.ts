import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fieldsOf } from "../../../../../test/support/client.ts";
import { collide } from "../../../../../test/support/collide.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const workspace = await makeWorkspace(t.db);
const workspaceId = workspace.id;
const admin = await as(workspace.admin);
const inBrowser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
const roles = {
  manager: await makeRole(t.db, workspaceId, "Manager"),
  member: await makeRole(t.db, workspaceId, "Member"),
  viewer: await makeRole(t.db, workspaceId, "Viewer"),
};

let url: string;
let projectId: number;
let owner: TestUser;
beforeEach(async () => {
  projectId = (await makeProject(t.db, workspaceId)).id;
  url = `/api/projects/${projectId}/members`;
  owner = await makeMember(t.db, projectId, { role: "Manager", is_owner: true });
});

test("a member of the workspace added with a role is listed and has access", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const client = await as(user);
  assert.equal((await client.get(`/api/projects/${projectId}`)).status, 403);
  const added = await (await as(owner)).post(url, { user_id: user.id, role_id: roles.viewer });
  assert.equal(added.status, 201);
  assert.deepEqual(added.body, {
    user_id: user.id,
    username: user.username,
    first_name: "Ada",
    last_name: "Moss",
    profile_picture: null,
    is_admin: false,
    active: true,
    role_id: roles.viewer,
    is_owner: false,
  });
  assert.equal((await client.get(`/api/projects/${projectId}`)).status, 200);
  const list = await client.get(url);
  assert.deepEqual(
    list.body.data.map((row: { user_id: number }) => row.user_id),
    [owner.id, user.id],
  );
  assert.deepEqual(list.body.data[1], added.body);
});

test("a list of members has pages by cursor", async () => {
  await makeMember(t.db, projectId);
  await makeMember(t.db, projectId);
  const first = await admin.get(`${url}?limit=2`);
  assert.equal(first.body.data.length, 2);
  const second = await admin.get(`${url}?limit=2&cursor=${first.body.meta.next_cursor}`);
  assert.equal(second.body.data.length, 1);
  assert.equal(second.body.meta.next_cursor, null);
});

test("a user or role of another workspace returns 422 like an unknown one", async () => {
  const other = await makeWorkspace(t.db);
  const outsider = await makeUser(t.db);
  const foreignRole = await makeRole(t.db, other.id, "Viewer");
  const insider = await makeWorkspaceMember(t.db, workspaceId);
  for (const user_id of [outsider.id, other.admin.id, 999_999, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(fieldsOf(await admin.post(url, { user_id, role_id: roles.viewer })), ["user_id"]);
  for (const role_id of [foreignRole, 999_999, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(fieldsOf(await admin.post(url, { user_id: insider.id, role_id })), ["role_id"]);
  assert.deepEqual(fieldsOf(await admin.post(url, { user_id: outsider.id, role_id: foreignRole })), [
    "role_id",
    "user_id",
  ]);
  assert.equal((await admin.patch(`${url}/${owner.id}`, { role_id: foreignRole })).status, 422);
  assert.equal((await admin.get(url)).body.data.length, 1);
});

test("missing fields and wrong types return 422 on their fields", async () => {
  assert.deepEqual(fieldsOf(await admin.post(url, {})), ["role_id", "user_id"]);
  assert.deepEqual(fieldsOf(await admin.post(url)), ["role_id", "user_id"]);
  assert.deepEqual(fieldsOf(await admin.post(url, { user_id: "1", role_id: 1.5, is_owner: 1 })), [
    "is_owner",
    "role_id",
    "user_id",
  ]);
  assert.deepEqual(fieldsOf(await admin.post(url, [])), ["body"]);
  assert.deepEqual(fieldsOf(await admin.patch(`${url}/${owner.id}`, { role_id: 0, is_owner: "no" })), [
    "is_owner",
    "role_id",
  ]);
});

test("adding an existing member returns 422, even if two requests race", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => admin.post(url, { user_id: user.id, role_id: roles.member })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  const refused = answers.filter((answer) => answer.status === 422);
  assert.equal(refused.length, 5);
  assert.deepEqual(fieldsOf(refused[0] as (typeof refused)[0]), ["user_id"]);
});

test("a PATCH changes role and ownership independently, and null changes nothing", async () => {
  const user = await makeMember(t.db, projectId, { role: "Viewer" });
  const path = `${url}/${user.id}`;
  const promoted = await admin.patch(path, { role_id: roles.member });
  assert.equal(promoted.status, 200);
  assert.deepEqual([promoted.body.role_id, promoted.body.is_owner], [roles.member, false]);
  const owning = await inBrowser.patch(path, { is_owner: true, role_id: null });
  assert.deepEqual([owning.body.role_id, owning.body.is_owner], [roles.member, true]);
  assert.deepEqual((await admin.patch(path, {})).body, owning.body);
  assert.deepEqual((await admin.patch(path)).body, owning.body);
});

test("a removed member loses access at once, and the last owner can be removed", async () => {
  const user = await makeMember(t.db, projectId, { role: "Member" });
  const client = await as(user);
  assert.equal((await client.get(`/api/projects/${projectId}`)).status, 200);
  assert.equal((await admin.delete(`${url}/${user.id}`)).status, 204);
  assert.equal((await client.get(`/api/projects/${projectId}`)).status, 403);
  assert.equal((await admin.delete(`${url}/${user.id}`)).status, 404);
  assert.equal((await admin.delete(`${url}/${owner.id}`)).status, 204);
  assert.deepEqual((await admin.get(url)).body.data, []);
});

test("a project token stops working with its creator's membership and works again with it", async () => {
  const user = await makeMember(t.db, projectId, { role: "Manager" });
  const token = t.http.as(await makeProjectToken(t.db, projectId, user.id));
  const groups = `/api/projects/${projectId}/error-groups`;
  assert.equal((await token.get(groups)).status, 200);
  assert.equal((await admin.delete(`${url}/${user.id}`)).status, 204);
  assert.equal((await token.get(groups)).status, 403);
  assert.equal((await admin.post(url, { user_id: user.id, role_id: roles.viewer })).status, 201);
  assert.equal((await token.get(groups)).status, 200);
});

test("a member of another project returns 404 before the body is validated", async () => {
  const elsewhere = await makeProject(t.db, workspaceId);
  const stranger = await makeMember(t.db, elsewhere.id);
  for (const id of [stranger.id, 999_999, "x", "0"]) {
    assert.equal((await admin.patch(`${url}/${id}`, { role_id: "wrong" })).status, 404, String(id));
    assert.equal((await admin.delete(`${url}/${id}`)).status, 404, String(id));
  }
  const path = `/api/projects/${elsewhere.id}/members/${stranger.id}`;
  assert.equal((await admin.patch(path, { role_id: "wrong" })).status, 422);
});

test("everybody with access can list the members, and only project:update permits changing them", async () => {
  const user = await makeMember(t.db, projectId, { role: "Member" });
  const client = await as(user);
  assert.equal((await client.get(url)).status, 200);
  assert.equal((await client.post(url, {})).status, 403);
  assert.equal((await client.patch(`${url}/${user.id}`, { role_id: roles.manager })).status, 403);
  assert.equal((await client.delete(`${url}/${user.id}`)).status, 403);
  const outsider = await as(await makeWorkspaceMember(t.db, workspaceId));
  assert.equal((await outsider.get(url)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, projectId, owner.id));
  assert.equal((await token.get(url)).status, 403);
});

test("a manager cannot make, change or remove an owner, nor become one", async () => {
  const manager = await makeMember(t.db, projectId, { role: "Manager" });
  const client = await as(manager);
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const add = { user_id: user.id, role_id: roles.viewer };
  assert.equal((await client.post(url, { ...add, is_owner: true })).status, 403);
  assert.equal((await client.patch(`${url}/${manager.id}`, { is_owner: true })).status, 403);
  assert.equal((await client.patch(`${url}/${owner.id}`, { is_owner: false })).status, 403);
  assert.equal((await client.patch(`${url}/${owner.id}`, { role_id: roles.viewer })).status, 403);
  assert.equal((await client.delete(`${url}/${owner.id}`)).status, 403);
  assert.deepEqual(
    (await admin.get(url)).body.data.map((row: { user_id: number; is_owner: boolean; role_id: number }) => [
      row.user_id,
      row.is_owner,
      row.role_id,
    ]),
    [
      [owner.id, true, roles.manager],
      [manager.id, false, roles.manager],
    ],
  );
  assert.equal((await client.post(url, { ...add, is_owner: false })).status, 201);
  assert.equal((await client.delete(`${url}/${user.id}`)).status, 204);
  assert.equal((await inBrowser.patch(`${url}/${manager.id}`, { is_owner: true })).status, 200);
});

test("only a browser session may make someone an owner", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const added = await admin.post(url, { user_id: user.id, role_id: roles.viewer, is_owner: true });
  assert.deepEqual(
    [added.status, added.body.message],
    [403, "Only a browser session may make someone an owner."],
  );
  assert.equal((await admin.post(url, { user_id: user.id, role_id: roles.viewer })).status, 201);
  assert.equal((await admin.patch(`${url}/${user.id}`, { is_owner: true })).status, 403);
  assert.equal((await inBrowser.patch(`${url}/${user.id}`, { is_owner: true })).status, 200);
  // An owner stays one.
  assert.equal((await admin.patch(`${url}/${user.id}`, { is_owner: true })).status, 200);
});

test("nobody can assign a role with more permissions than their own", async () => {
  const keeper = await makeMember(t.db, projectId, {
    role: { permissions: ["project:update", "reports:read"] },
  });
  const client = await as(keeper);
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const narrow = await makeRole(t.db, workspaceId, { permissions: ["reports:read"] });
  assert.equal((await client.post(url, { user_id: user.id, role_id: roles.manager })).status, 403);
  assert.equal((await client.patch(`${url}/${keeper.id}`, { role_id: roles.manager })).status, 403);
  assert.equal((await client.post(url, { user_id: user.id, role_id: narrow })).status, 201);
  assert.equal((await client.patch(`${url}/${user.id}`, { role_id: roles.member })).status, 403);
});

test("adding a member who is removed from the workspace concurrently returns 422", async () => {
  const user = await makeWorkspaceMember(t.db, workspaceId);
  const lock = `select from workspace_members where user_id = ${user.id} for update`;
  const [removed, added] = await collide(t.database, lock, async (waiting) => {
    const first = admin.delete(`/api/workspaces/${workspaceId}/members/${user.id}`);
    await waiting(1);
    const second = admin.post(url, { user_id: user.id, role_id: roles.viewer });
    await waiting(2);
    return [first, second];
  });
  assert.equal(removed?.status, 204);
  assert.deepEqual(added?.body.errors, { user_id: ["is not a member of the workspace"] });
  assert.equal((await admin.get(url)).body.data.length, 1);
});
