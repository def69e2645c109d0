import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard, type Board } from "../../../../../test/support/board.ts";
import type { Client } from "../../../../../test/support/client.ts";
import { collide } from "../../../../../test/support/collide.ts";
import { anEvent } from "../../../../../test/support/error-events.ts";
import { inboxOf, mailsTo, watch, watchersOf } from "../../../../../test/support/inbox.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeRole,
  makeTeam,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../../test/support/make.ts";
import { openAppOn, useTestApp } from "../../../../../test/support/test-app.ts";
import { eventually } from "../../../../../test/support/eventually.ts";

const t = await useTestApp();

let workspace: { id: number; admin: TestUser };
let board: Board;
let url: string;
let user: TestUser;
let client: Client;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  board = await openBoard(t, workspace);
  url = `/api/workspaces/${workspace.id}/members`;
  user = await makeMember(t.db, board.id, { role: "Manager" });
  client = await as(user);
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const set = async (one: TestUser, body: { active?: boolean; is_admin?: boolean }) => {
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const answer = await browser.patch(`${url}/${one.id}`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

test("a reactivated member has the roles they had before", async () => {
  const before = (await board.admin.get(url)).body.data.at(-1);
  assert.equal(before.active, true);
  assert.deepEqual(await set(user, { active: false }), { ...before, active: false });
  assert.deepEqual(await set(user, { active: false }), { ...before, active: false });
  assert.deepEqual((await board.admin.get(url)).body.data.at(-1), { ...before, active: false });
  const [member] = (await board.admin.get(`${board.url}/members`)).body.data;
  assert.deepEqual([member.user_id, member.active], [user.id, false]);
  assert.equal((await client.get(board.url)).status, 403);
  assert.deepEqual(await set(user, { active: true }), before);
  assert.equal((await client.get(board.url)).status, 200);
  assert.equal((await client.patch(board.url, { name: "New" })).status, 200);
  const wrong = await board.admin.patch(`${url}/${user.id}`, { active: "no", is_admin: 1 });
  assert.deepEqual(wrong.body.errors, {
    is_admin: ["must be true or false"],
    active: ["must be true or false"],
  });
});

for (const kind of ["a member", "an owner", "an administrator", "a member by team"] as const)
  test(`${kind} who is deactivated has no access with any credential`, async () => {
    const one = await makeWorkspaceMember(t.db, workspace.id, { is_admin: kind === "an administrator" });
    if (kind === "a member") await makeMember(t.db, board.id, { user: one, role: "Manager" });
    if (kind === "an owner") await makeMember(t.db, board.id, { user: one, is_owner: true });
    if (kind === "a member by team")
      await makeTeam(t.db, workspace.id, { members: [one], projects: [board], role: "Manager" });
    const issue = await board.make();
    const personal = await as(one);
    const browser = t.http.withCookie(await makeCookie(t.db, one.id));
    const token = t.http.as(await makeProjectToken(t.db, board.id, one.id));
    const groups = `${board.url}/error-groups`;
    assert.equal((await token.get(groups)).status, 200);
    assert.equal((await personal.get(board.url)).status, 200);
    await set(one, { active: false });
    for (const caller of [personal, browser]) {
      for (const path of [
        board.url,
        `/api/projects/${board.key}`,
        `${board.issues}/${issue.id}`,
        groups,
        `${board.url}/members`,
        `${board.url}/people`,
        `/api/workspaces/${workspace.id}`,
        `/api/workspaces/${workspace.id}/roles`,
        `/api/workspaces/${workspace.id}/teams`,
        url,
      ])
        assert.equal((await caller.get(path)).status, 403, path);
      for (const path of ["/api/projects", "/api/workspaces", "/api/issues", "/api/error-groups"])
        assert.deepEqual((await caller.get(path)).body.data, [], path);
      assert.equal((await caller.patch(`${url}/${one.id}`, { active: true })).status, 403);
      assert.equal((await caller.post("/api/workspaces", { name: "Mine" })).status, 403);
      const made = await caller.post("/api/projects", { key: `D${one.id}`, name: "X" });
      assert.deepEqual(Object.keys(made.body.errors), ["workspace_id"]);
      const { status, body } = await caller.get("/api/profile");
      assert.deepEqual([status, body.is_admin], [200, false], "the session and the account stay");
    }
    for (const caller of [personal, token]) {
      assert.equal((await caller.post(`${board.url}/error-events`, anEvent())).status, 403);
      assert.equal((await caller.post(`${board.url}/reports`, { title: "T", description: "D" })).status, 403);
    }
    assert.equal((await token.get(groups)).status, 403);
    await set(one, { active: true });
    assert.equal((await token.get(groups)).status, 200);
    assert.equal((await browser.get(board.url)).status, 200);
  });

test("a deactivated member can be neither assigned, mentioned nor notified, and loses their watches", async () => {
  const issue = await board.make({ assignee_id: user.id });
  assert.equal((await client.post(`${board.url}/reports/watch`)).status, 200);
  const before = (await inboxOf(t, user)).length;
  const mails = (await mailsTo(t.db, user)).length;
  await set(user, { active: false });
  assert.deepEqual(await watchersOf(t.db, issue.id), [workspace.admin.id]);
  assert.deepEqual((await board.admin.get(`${board.url}/reports/watch`)).body.report_watcher_ids, []);
  const assigned = await board.admin.post(board.issues, { title: "X", assignee_id: user.id });
  assert.deepEqual(Object.keys(assigned.body.errors), ["assignee_id"]);
  // Simulates a watch that was not deleted.
  await watch(t.db, issue.id, user);
  const comments = `${board.issues}/${issue.id}/comments`;
  assert.equal((await board.admin.post(comments, { content: `@${user.username}?` })).status, 201);
  await board.admin.post(`${board.issues}/${issue.id}/move`, { lane_id: board.lanes.done });
  assert.equal((await board.read(issue.id)).assignee_id, user.id, "history keeps them");
  await board.admin.patch(`${board.issues}/${issue.id}`, { assignee_id: null });
  assert.equal((await mailsTo(t.db, user)).length, mails);
  assert.deepEqual(await inboxOf(t, user), []);
  await set(user, { active: true });
  assert.equal((await inboxOf(t, user)).length, before, "earlier notifications are visible again");
});

test("a deactivated member keeps other workspaces, and their name on what they did", async () => {
  const other = await makeWorkspace(t.db);
  const far = await openBoard(t, other);
  await makeMember(t.db, far.id, { user });
  const issue = await client.post(board.issues, { title: "Mine" });
  await client.post(`${board.issues}/${issue.body.id}/comments`, { content: "Said" });
  await board.admin.post(`${board.issues}/${issue.body.id}/comments`, { content: "Answered" });
  await set(user, { active: false });
  assert.equal((await client.get(far.url)).status, 200);
  assert.equal((await board.read(issue.body.id)).created_by, user.id);
  const { data } = (await board.admin.get(`${board.issues}/${issue.body.id}/comments`)).body;
  assert.equal(data[0].user_id, user.id);
  const listed = (await board.admin.get(url)).body.data.find(
    (row: { user_id: number }) => row.user_id === user.id,
  );
  assert.deepEqual([listed.username, listed.active], [user.username, false]);
});

test("a deactivated member can neither be added to a project nor be reactivated by an invitation", async () => {
  const one = await makeWorkspaceMember(t.db, workspace.id);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const invited = await admin.post(`/api/workspaces/${workspace.id}/invitations`, {
    email: one.email,
    is_admin: true,
    projects: [{ project_id: board.id, role_id }],
  });
  await set(one, { active: false });
  const added = await board.admin.post(`${board.url}/members`, { user_id: one.id, role_id });
  assert.deepEqual(added.body.errors, { user_id: ["is deactivated in the workspace"] });
  const token = new URL(invited.body.link).pathname.split("/").at(-1);
  const browser = t.http.withCookie(await makeCookie(t.db, one.id));
  assert.equal((await browser.post(`/api/invitations/${token}`)).status, 403);
  const row = (await board.admin.get(url)).body.data.at(-1);
  assert.deepEqual([row.user_id, row.is_admin, row.active], [one.id, false, false]);
  await set(one, { active: true });
  assert.equal((await browser.post(`/api/invitations/${token}`)).status, 200);
});

test("a deactivated member keeps their inbox, although their roles no longer count", async () => {
  await t.db
    .updateTable("roles")
    .set({ permissions: ["issues:read"] })
    .where("workspace_id", "=", workspace.id)
    .execute();
  const answer = () => client.post("/api/notifications/bulk-read", { notification_ids: [999_999] });
  assert.equal((await answer()).status, 403);
  await set(user, { active: false });
  assert.equal((await answer()).status, 422);
});

test("the last active administrator stays, even if there is a deactivated one", async () => {
  const second = await makeWorkspaceMember(t.db, workspace.id, { is_admin: true });
  await set(second, { active: false });
  const own = `${url}/${workspace.admin.id}`;
  const fields = async (body: object) =>
    Object.keys((await board.admin.patch(own, body)).body.errors ?? {}).sort();
  assert.deepEqual(await fields({ active: false }), ["active"]);
  assert.deepEqual(await fields({ is_admin: false }), ["is_admin"]);
  assert.deepEqual(await fields({ is_admin: false, active: false }), ["active", "is_admin"]);
  assert.equal((await board.admin.delete(own)).status, 422);
  assert.equal((await set(second, { is_admin: false })).is_admin, false);
  await set(second, { is_admin: true, active: true });
  assert.equal((await board.admin.patch(own, { active: false })).status, 200);
  assert.equal((await board.admin.get(url)).status, 403);
});

const WAYS = {
  deactivate: (one: Client, who: TestUser) => one.patch(`${url}/${who.id}`, { active: false }),
  demote: (one: Client, who: TestUser) => one.patch(`${url}/${who.id}`, { is_admin: false }),
  remove: (one: Client, who: TestUser) => one.delete(`${url}/${who.id}`),
};
for (const how of ["deactivate", "demote", "remove"] as const)
  test(`if one administrator deactivates the other, and the other does ${how} concurrently, one stays`, async () => {
    const second = await makeWorkspaceMember(t.db, workspace.id, { is_admin: true });
    const other = await as(second);
    const lock = `select from workspace_members where workspace_id = ${workspace.id} for update`;
    const answers = await collide(t.database, lock, async (waiting) => {
      const requests = [WAYS.deactivate(board.admin, second), WAYS[how](other, workspace.admin)];
      await waiting(2);
      return requests;
    });
    assert.deepEqual(answers.map((answer) => answer.status >= 300).sort(), [false, true]);
    assert.ok(answers.some((answer) => answer.status === 422));
    const left = await t.db
      .selectFrom("workspace_members")
      .select("user_id")
      .where("workspace_id", "=", workspace.id)
      .where("is_admin", "=", true)
      .where("deactivated_at", "is", null)
      .execute();
    assert.equal(left.length, 1);
  });

test("another process applies a deactivation within the cache time of authority", async () => {
  const second = await openAppOn(t.database.url);
  try {
    const there = second.http.as(await makePersonalToken(t.db, user.id));
    const lanes = `${board.url}/lanes`;
    assert.equal((await there.get(lanes)).status, 200);
    await set(user, { active: false });
    await eventually(async () => (await there.get(lanes)).status, 403);
  } finally {
    await second.close();
  }
});
