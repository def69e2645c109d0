import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { makeCookie, makeRole, makeWorkspace, makeWorkspaceMember } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { AuditEvent } from "../../../shared/audit.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);
const url = `/api/workspaces/${workspace.id}`;

/** The entries that an administrator reads, oldest first, without address, user agent and token. */
const recorded = async (filter: string) => {
  const answer = await board.admin.get(`${url}/audit-events?limit=200&${filter}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.toReversed().map((event: AuditEvent) => {
    assert.equal(event.actor?.id, workspace.admin.id);
    const { by: _by, project_id, project_key: _key, ...details } = event.details;
    return [event.kind, event.subject?.name, details, ...(project_id === undefined ? [] : [project_id])];
  });
};
const done = async (answer: Promise<{ status: number; text: string; body: { id: number } }>) => {
  const { status, text, body } = await answer;
  assert.ok(status >= 200 && status < 300, text);
  return body;
};

test("creating, changing and deleting roles is recorded, an update without a change is not", async () => {
  const { admin } = board;
  const { id } = await done(admin.post(`${url}/roles`, { name: "Tester", permissions: ["issues:read"] }));
  await done(admin.patch(`${url}/roles/${id}`, { name: "Tester", permissions: ["issues:read"] }));
  await done(admin.patch(`${url}/roles/${id}`, { name: "Tester", permissions: [] }));
  await done(admin.delete(`${url}/roles/${id}`));
  assert.deepEqual(await recorded(`subject_type=role&subject_id=${id}`), [
    ["role.created", "Tester", { permissions: ["issues:read"] }],
    ["role.changed", "Tester", { permissions: [] }],
    ["role.deleted", "Tester", {}],
  ]);
});

test("changing and removing workspace members is recorded with what changed", async () => {
  const { admin } = board;
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const member = `${url}/members/${user.id}`;
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await done(browser.patch(member, { is_admin: true }));
  await done(admin.patch(member, { is_admin: true, active: false }));
  await done(admin.patch(member, { active: false }));
  await done(admin.delete(member));
  assert.deepEqual(await recorded(`kind=workspace_member&subject_id=${user.id}`), [
    ["workspace_member.changed", "Ada Moss", { is_admin: true }],
    ["workspace_member.changed", "Ada Moss", { active: false }],
    ["workspace_member.removed", "Ada Moss", { is_admin: true }],
  ]);
});

test("adding, changing and removing project members is recorded with what changed", async () => {
  const { admin } = board;
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  await done(admin.post(`${board.url}/members`, { user_id: user.id, role_id }));
  await done(admin.patch(`${board.url}/members/${user.id}`, { role_id, is_owner: false }));
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await done(browser.patch(`${board.url}/members/${user.id}`, { role_id, is_owner: true }));
  await done(admin.delete(`${board.url}/members/${user.id}`));
  assert.deepEqual(await recorded(`kind=project_member&subject_id=${user.id}`), [
    ["project_member.added", "Ada Moss", { role_id, is_owner: false }, board.id],
    ["project_member.changed", "Ada Moss", { is_owner: true }, board.id],
    ["project_member.removed", "Ada Moss", { role_id, is_owner: true }, board.id],
  ]);
});

test("changes of teams, their members and their projects are recorded, updates without a change are not", async () => {
  const { admin } = board;
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const other = await makeRole(t.db, workspace.id, "Member");
  const { id } = await done(admin.post(`${url}/teams`, { name: "Ops" }));
  const team = `${url}/teams/${id}`;
  await done(admin.patch(team, { name: "Operations" }));
  await done(admin.patch(team, {}));
  await done(admin.patch(team, { name: "Operations" }));
  await done(admin.post(`${team}/members/${user.id}`));
  await done(admin.post(`${team}/members/${user.id}`));
  await done(admin.put(`${board.url}/teams/${id}`, { role_id }));
  await done(admin.put(`${board.url}/teams/${id}`, { role_id }));
  await done(admin.put(`${board.url}/teams/${id}`, { role_id: other }));
  await done(admin.delete(`${board.url}/teams/${id}`));
  await done(admin.delete(`${team}/members/${user.id}`));
  await done(admin.delete(team));
  assert.deepEqual(await recorded(`subject_type=team&subject_id=${id}`), [
    ["team.created", "Ops", {}],
    ["team.changed", "Operations", { name_before: "Ops" }],
    ["project_team.added", "Operations", { role_id }, board.id],
    ["project_team.changed", "Operations", { role_id: other }, board.id],
    ["project_team.removed", "Operations", {}, board.id],
    ["team.deleted", "Operations", {}],
  ]);
  const membership = { team_id: id, team_name: "Operations" };
  assert.deepEqual(await recorded("kind=team_member"), [
    ["team_member.added", "Ada Moss", membership],
    ["team_member.removed", "Ada Moss", membership],
  ]);
});

test("a project update is recorded with the names of the changed fields", async () => {
  const { name } = (await done(board.admin.get(board.url))) as unknown as { name: string };
  await done(board.admin.patch(board.url, { name }));
  await done(board.admin.patch(board.url, { name, description: "What we sell" }));
  assert.deepEqual(await recorded(`kind=project.changed&subject_id=${board.id}`), [
    ["project.changed", name, { fields: ["description"] }, board.id],
  ]);
});

test("a rejected membership is not recorded", async () => {
  const before = await recorded("");
  const outsider = (await makeWorkspace(t.db)).admin;
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const added = await board.admin.post(`${board.url}/members`, { user_id: outsider.id, role_id });
  assert.equal(added.status, 422);
  assert.equal((await board.admin.delete(`${url}/members/${workspace.admin.id}`)).status, 422);
  assert.equal((await board.admin.delete(`${url}/roles/${role_id}`)).status, 422);
  assert.deepEqual(await recorded(""), before);
});
