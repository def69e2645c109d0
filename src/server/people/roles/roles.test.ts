import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type Answer, type Client, refusalOf } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { watch, watchersOf } from "../../../../test/support/inbox.ts";
import { openBoard } from "../../../../test/support/board.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeTeam,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { PERMISSIONS } from "../../../shared/permissions.ts";

const t = await useTestApp();

let workspace: { id: number; admin: TestUser };
let admin: Client;
let url: string;
let projectId: number;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  admin = await as(workspace.admin);
  url = `/api/workspaces/${workspace.id}/roles`;
  projectId = (await makeProject(t.db, workspace.id)).id;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const created = async (name: string, permissions: string[] = ["issues:read"]) => {
  const answer = await admin.post(url, { name, permissions });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const builtIn = (name: "Manager" | "Viewer") => makeRole(t.db, workspace.id, name);

test("a role is created with its permissions in canonical order, listed and updated", async () => {
  const made = await created("Triage", ["reports:update", "reports:read"]);
  const { id, created_at, ...rest } = made;
  assert.match(created_at, /\.\d{6}Z$/);
  assert.deepEqual(rest, {
    name: "Triage",
    permissions: ["reports:read", "reports:update"],
    built_in: false,
    members_count: 0,
    teams_count: 0,
  });
  assert.deepEqual((await admin.get(url)).body.data.at(-1), made);
  const path = `${url}/${id}`;
  for (const nothing of [{}, { name: null, permissions: null }])
    assert.deepEqual((await admin.patch(path, nothing)).body, made);
  const renamed = await admin.patch(path, { name: "TRIAGE" });
  assert.deepEqual([renamed.status, renamed.body], [200, { ...made, name: "TRIAGE" }]);
  const emptied = await admin.patch(path, { permissions: [] });
  assert.deepEqual(emptied.body, { ...made, name: "TRIAGE", permissions: [] });
});

test("a role contains the number of its members and teams", async () => {
  const viewer = await builtIn("Viewer");
  await makeMember(t.db, projectId, { role: "Viewer" });
  await makeTeam(t.db, workspace.id, { projects: [{ id: projectId }], role: "Viewer" });
  const { data } = (await admin.get(url)).body;
  const counts = data.map((role: { id: number; members_count: number; teams_count: number }) => [
    role.id === viewer,
    role.members_count,
    role.teams_count,
  ]);
  assert.deepEqual(counts.toSorted().at(-1), [true, 1, 1]);
  assert.equal(counts.filter(([, members]: number[]) => members === 0).length, 3);
});

test("a name is unique in a workspace, ignoring case, and free in another workspace", async () => {
  const { id } = await created("Café");
  const second = await created("Second");
  for (const name of ["CAFÉ", "manager"]) {
    const again = await admin.post(url, { name, permissions: [] });
    assert.deepEqual(again.body.errors, { name: ["is taken"] });
    assert.deepEqual(refusalOf(await admin.patch(`${url}/${second.id}`, { name })), [422, "name"]);
  }
  assert.equal((await admin.patch(`${url}/${id}`, { name: "café" })).status, 200);
  const other = await makeWorkspace(t.db);
  const elsewhere = await (
    await as(other.admin)
  ).post(`/api/workspaces/${other.id}/roles`, { name: "Café", permissions: [] });
  assert.equal(elsewhere.status, 201);
});

test("if ten requests race to create a role, one succeeds", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.post(url, { name: "Same", permissions: [] })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 422).length, 9);
});

test("missing fields, wrong types and unknown permissions return 422 on their fields", async () => {
  const path = `${url}/${(await created("X")).id}`;
  assert.deepEqual(refusalOf(await admin.post(url, {})), [422, "name", "permissions"]);
  assert.deepEqual(refusalOf(await admin.post(url)), [422, "name", "permissions"]);
  for (const name of ["", " ", "a\nb", "x".repeat(101), 1])
    assert.deepEqual(refusalOf(await admin.patch(path, { name })), [422, "name"], String(name));
  for (const [permissions, field] of [
    ["issues:read", "permissions"],
    [{}, "permissions"],
    [["issues:read", "all"], "permissions.1"],
    [["ISSUES:READ"], "permissions.0"],
    [[null], "permissions.0"],
    [["issues:read", "epics:read", "issues:read"], "permissions.2"],
  ] as const) {
    const words = JSON.stringify(permissions);
    assert.deepEqual(refusalOf(await admin.post(url, { name: "Y", permissions })), [422, field], words);
    assert.deepEqual(refusalOf(await admin.patch(path, { permissions })), [422, field], words);
  }
  assert.equal((await admin.post(url, { name: "All", permissions: [...PERMISSIONS] })).status, 201);
});

test("new permissions of a role apply at once to everybody who has it", async () => {
  const role = await created("Reads", ["issues:read"]);
  const member = await makeMember(t.db, projectId);
  const teammate = await makeWorkspaceMember(t.db, workspace.id);
  await makeTeam(t.db, workspace.id, { members: [teammate], projects: [{ id: projectId }] });
  for (const table of ["project_members", "project_teams"] as const)
    await t.db.updateTable(table).set({ role_id: role.id }).where("project_id", "=", projectId).execute();
  const clients = [await as(member), await as(teammate)];
  const statuses = () =>
    Promise.all(clients.map(async (one) => (await one.get(`/api/projects/${projectId}/epics`)).status));
  assert.deepEqual(await statuses(), [403, 403]);
  await admin.patch(`${url}/${role.id}`, { permissions: ["epics:read"] });
  assert.deepEqual(await statuses(), [200, 200]);
  await admin.patch(`${url}/${role.id}`, { permissions: [] });
  assert.deepEqual(await statuses(), [403, 403]);
});

test("members whose role no longer permits reading issues lose their watches, others keep them", async () => {
  const board = await openBoard(t, workspace);
  const role = await created("Watches", ["issues:read", "epics:read", "project:update"]);
  const [narrowed, twofold] = [await makeMember(t.db, board.id), await makeMember(t.db, board.id)];
  await t.db
    .updateTable("project_members")
    .set({ role_id: role.id })
    .where("project_id", "=", board.id)
    .execute();
  await makeTeam(t.db, workspace.id, { members: [twofold], projects: [board], role: "Viewer" });
  const other = await makeMember(t.db, board.id);
  const issue = await board.make();
  for (const one of [narrowed, twofold, other]) await watch(t.db, issue.id, one);
  await admin.patch(`${url}/${role.id}`, { permissions: ["issues:read", "epics:read"] });
  assert.ok((await watchersOf(t.db, issue.id)).includes(narrowed.id));
  await admin.patch(`${url}/${role.id}`, { permissions: ["epics:read"] });
  assert.deepEqual(await watchersOf(t.db, issue.id), [workspace.admin.id, twofold.id, other.id]);
});

test("the permissions of a built-in role can change, but it can be neither renamed nor deleted", async () => {
  const manager = `${url}/${await builtIn("Manager")}`;
  const changed = await admin.patch(manager, { name: "Manager", permissions: ["issues:read"] });
  assert.deepEqual([changed.status, changed.body.permissions], [200, ["issues:read"]]);
  assert.deepEqual(refusalOf(await admin.patch(manager, { name: "manager" })), [422, "name"]);
  for (const query of ["", `?move_to=${await builtIn("Viewer")}`]) {
    const refused = await admin.delete(`${manager}${query}`);
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /built-in/);
  }
  const member = await as(await makeWorkspaceMember(t.db, workspace.id));
  assert.equal((await member.post("/api/projects", { key: `R${projectId}`, name: "X" })).status, 201);
});

test("an unused role can be deleted, even if an expired invitation has it", async () => {
  const role = await created("Old");
  await invite(role.id);
  await t.db
    .updateTable("invitations")
    .set({ expires_at: sql<string>`now() - interval '1 hour'` })
    .execute();
  assert.equal((await admin.delete(`${url}/${role.id}`)).status, 204);
  assert.equal((await admin.delete(`${url}/${role.id}`)).status, 404);
  assert.equal((await admin.get(url)).body.data.length, 4);
});

const invite = async (role_id: number) => {
  const body = { email: `new${role_id}@example.com`, projects: [{ project_id: projectId, role_id }] };
  const answer = await admin.post(`/api/workspaces/${workspace.id}/invitations`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

test("a role in use can be deleted only with a replacement for its members, teams and invitations", async () => {
  const role = await created("Used");
  const viewer = await builtIn("Viewer");
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const second = await makeWorkspaceMember(t.db, workspace.id);
  const team = await makeTeam(t.db, workspace.id);
  const project = `/api/projects/${projectId}`;
  for (const one of [user, second])
    await admin.post(`${project}/members`, { user_id: one.id, role_id: role.id });
  await admin.put(`${project}/teams/${team.id}`, { role_id: role.id });
  await invite(role.id);
  const refused = await admin.delete(`${url}/${role.id}`);
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /2 members, 1 team, 1 invitation\./);
  const foreign = await makeRole(t.db, (await makeWorkspace(t.db)).id, "Viewer");
  for (const wrong of [role.id, foreign, 999_999, "x", "0"])
    assert.deepEqual(
      refusalOf(await admin.delete(`${url}/${role.id}?move_to=${wrong}`)),
      [422, "move_to"],
      String(wrong),
    );
  assert.equal((await admin.delete(`${url}/${role.id}?move_to=${viewer}`)).status, 204);
  const roleIds = (answer: Answer) => answer.body.data.map((row: { role_id: number }) => row.role_id);
  assert.deepEqual(roleIds(await admin.get(`${project}/members`)), [viewer, viewer]);
  assert.deepEqual(roleIds(await admin.get(`${project}/teams`)), [viewer]);
  const invitations = await admin.get(`/api/workspaces/${workspace.id}/invitations`);
  assert.deepEqual(invitations.body.data[0].projects, [{ project_id: projectId, role_id: viewer }]);
});

test("assigning a role while it is deleted fails, or makes the deletion fail", async () => {
  const user = await makeWorkspaceMember(t.db, workspace.id);
  for (const isFirst of [true, false]) {
    const role = await created(`Race ${isFirst}`);
    const give = () =>
      admin.post(`/api/projects/${projectId}/members`, { user_id: user.id, role_id: role.id });
    const remove = () => admin.delete(`${url}/${role.id}`);
    const lock = `select from roles where id = ${role.id} for update`;
    const answers = await collide(t.database, lock, async (waiting) => {
      const one = isFirst ? remove() : give();
      await waiting(1);
      const other = isFirst ? give() : remove();
      await waiting(2);
      return [one, other];
    });
    assert.deepEqual(
      answers.map((answer) => answer.status),
      isFirst ? [204, 422] : [201, 422],
    );
  }
});

test("commenting while one's role is replaced works, and so does replacing it", async () => {
  const board = await openBoard(t, workspace);
  const issue = await board.make();
  const role = await created("Replaced", ["issues:read", "comments:create"]);
  const member = await makeMember(t.db, board.id);
  await t.db
    .updateTable("project_members")
    .set({ role_id: role.id })
    .where("user_id", "=", member.id)
    .execute();
  const client = await as(member);
  const viewer = await builtIn("Viewer");
  const lock = `select from roles where id = ${role.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const one = admin.delete(`${url}/${role.id}?move_to=${viewer}`);
    await waiting(1);
    const other = client.post(`${board.issues}/${issue.id}/comments`, { content: "So do I." });
    await waiting(2);
    return [one, other];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 201],
  );
});

test("accepting an invitation while its role is deleted assigns the replacement", async () => {
  const role = await created("Invited");
  const viewer = await builtIn("Viewer");
  const { link, email } = await invite(role.id);
  const token = new URL(link).pathname.split("/").at(-1);
  const user = await makeWorkspaceMember(t.db, (await makeWorkspace(t.db)).id);
  await t.db.updateTable("users").set({ email }).where("id", "=", user.id).execute();
  const browser = t.http.withCookie(await makeCookie(t.db, user.id));
  const lock = `select from invitations where email = '${email}' for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const one = browser.post(`/api/invitations/${token}`);
    await waiting(1);
    const other = admin.delete(`${url}/${role.id}?move_to=${viewer}`);
    await waiting(2);
    return [one, other];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 204],
  );
  const [member] = (await admin.get(`/api/projects/${projectId}/members`)).body.data;
  assert.deepEqual([member.user_id, member.role_id], [user.id, viewer]);
});

test("only administrators can change roles, and another workspace's role returns 404", async () => {
  const role = await created("Mine");
  const manager = await makeMember(t.db, projectId, { role: "Manager", is_owner: true });
  const other = await makeWorkspace(t.db);
  const token = t.http.as(await makeProjectToken(t.db, projectId, workspace.admin.id));
  for (const one of [await as(manager), await as(other.admin), token]) {
    assert.equal((await one.post(url, { name: "X", permissions: [] })).status, 403);
    assert.equal((await one.patch(`${url}/${role.id}`, { permissions: [...PERMISSIONS] })).status, 403);
    assert.equal((await one.delete(`${url}/${role.id}`)).status, 403);
  }
  const foreign = await makeRole(t.db, other.id, "Viewer");
  for (const id of [foreign, 999_999, "x", "0"]) {
    assert.equal((await admin.patch(`${url}/${id}`, { name: 1 })).status, 404, String(id));
    assert.equal((await admin.delete(`${url}/${id}`)).status, 404, String(id));
  }
  assert.equal((await admin.get(url)).body.data.length, 5);
});
