import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Client, refusalOf } from "../../../../test/support/client.ts";
import { inboxOf, mailsTo, messagesTo } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeTeam,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

let workspace: { id: number; admin: TestUser };
let admin: Client;
let url: string;
let user: TestUser;
let client: Client;
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  admin = await as(workspace.admin);
  url = `/api/workspaces/${workspace.id}/teams`;
  user = await makeWorkspaceMember(t.db, workspace.id);
  client = await as(user);
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const create = async (name: string) => {
  const answer = await admin.post(url, { name });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const deactivate = (one: TestUser) =>
  admin.patch(`/api/workspaces/${workspace.id}/members/${one.id}`, { active: false });

test("teams are created and renamed, and every member of the workspace can list and read them", async () => {
  const core = await create("Core");
  const { id, created_at, ...rest } = core;
  assert.match(created_at, /\.\d{6}Z$/);
  assert.deepEqual(rest, { name: "Core", members_count: 0 });
  const second = await create("Second");
  const first = await client.get(`${url}?limit=1`);
  assert.deepEqual(first.body.data, [core]);
  const next = await client.get(`${url}?limit=1&cursor=${first.body.meta.next_cursor}`);
  assert.deepEqual(next.body, { data: [second], meta: { next_cursor: null } });
  assert.deepEqual((await client.get(`${url}/${id}`)).body, { ...core, members: [], projects: [] });
  for (const nothing of [{}, { name: null }])
    assert.deepEqual((await admin.patch(`${url}/${id}`, nothing)).body, core);
  const renamed = await admin.patch(`${url}/${id}`, { name: "CORE" });
  assert.deepEqual([renamed.status, renamed.body], [200, { ...core, name: "CORE" }]);
});

test("a name is unique in a workspace, ignoring case, and free in another workspace", async () => {
  await create("Café");
  const { id } = await create("Second");
  assert.deepEqual((await admin.post(url, { name: "CAFÉ" })).body.errors, { name: ["is taken"] });
  assert.deepEqual(refusalOf(await admin.patch(`${url}/${id}`, { name: "café" })), [422, "name"]);
  const other = await makeWorkspace(t.db);
  const elsewhere = await as(other.admin);
  assert.equal((await elsewhere.post(`/api/workspaces/${other.id}/teams`, { name: "Café" })).status, 201);
  const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(url, { name: "Same" })));
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 422).length, 7);
});

test("missing fields and wrong types return 422 on their fields", async () => {
  const { id } = await create("X");
  assert.deepEqual(refusalOf(await admin.post(url)), [422, "name"]);
  assert.deepEqual(refusalOf(await admin.post(url, [])), [422, "body"]);
  for (const name of ["", " ", "a\nb", "x".repeat(101), 1, "\0"]) {
    assert.deepEqual(refusalOf(await admin.post(url, { name })), [422, "name"], String(name));
    assert.deepEqual(refusalOf(await admin.patch(`${url}/${id}`, { name })), [422, "name"], String(name));
  }
  assert.equal((await admin.post(url, { name: "x".repeat(100) })).status, 201);
});

test("a user added to a team is notified once, even when added again", async () => {
  const { id } = await create("Core");
  const path = `${url}/${id}/members/${user.id}`;
  const added = await admin.post(path);
  assert.equal(added.status, 201);
  const member = {
    user_id: user.id,
    username: user.username,
    first_name: "Ada",
    last_name: "Moss",
    profile_picture: null,
    active: true,
  };
  assert.deepEqual(added.body, member);
  const again = await admin.post(path, {});
  assert.deepEqual([again.status, again.body], [200, member]);
  const team = (await client.get(`${url}/${id}`)).body;
  assert.deepEqual([team.members, team.members_count], [[member], 1]);
  assert.deepEqual(await messagesTo(t, user), [[6, "Ada Moss added you to the team Core"]]);
  const [entry] = await inboxOf(t, user);
  assert.deepEqual(entry?.notifiable, { type: "team", id, name: "Core" });
  assert.equal((await mailsTo(t.db, user)).length, 1);
  assert.equal((await admin.post(`${url}/${id}/members/${workspace.admin.id}`)).status, 201);
  assert.deepEqual(await inboxOf(t, workspace.admin), []);
});

test("if eight requests race to add a user, one succeeds and the user is notified once", async () => {
  const { id } = await create("Core");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => admin.post(`${url}/${id}/members/${user.id}`)),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [...Array(7).fill(200), 201]);
  assert.equal((await inboxOf(t, user)).length, 1);
});

test("adding a user outside the workspace returns 404, a deactivated one 422", async () => {
  const { id } = await create("Core");
  const outsider = (await makeWorkspace(t.db)).admin;
  for (const one of [outsider.id, 999_999, "x", "0"]) {
    assert.equal((await admin.post(`${url}/${id}/members/${one}`)).status, 404, String(one));
    assert.equal((await admin.delete(`${url}/${id}/members/${one}`)).status, 404, String(one));
  }
  assert.equal((await admin.delete(`${url}/${id}/members/${user.id}`)).status, 404);
  await deactivate(user);
  assert.equal((await admin.post(`${url}/${id}/members/${user.id}`)).status, 422);
  assert.deepEqual((await admin.get(`${url}/${id}`)).body.members, []);
});

test("a deactivated member stays in the team, marked as such; one removed from the workspace does not", async () => {
  const second = await makeWorkspaceMember(t.db, workspace.id);
  const { id } = await makeTeam(t.db, workspace.id, { members: [user, second] });
  await deactivate(user);
  await admin.delete(`/api/workspaces/${workspace.id}/members/${second.id}`);
  const { members, members_count } = (await admin.get(`${url}/${id}`)).body;
  assert.deepEqual(
    members.map((one: { user_id: number; active: boolean }) => [one.user_id, one.active]),
    [[user.id, false]],
  );
  assert.equal(members_count, 1);
});

test("a team contains only those of its projects that the reader can access", async () => {
  const [one, two] = [await makeProject(t.db, workspace.id), await makeProject(t.db, workspace.id)];
  const { id } = await makeTeam(t.db, workspace.id, { projects: [one, two], role: "Viewer" });
  await makeMember(t.db, two.id, { user });
  const projectsFor = async (reader: Client) =>
    (await reader.get(`${url}/${id}`)).body.projects.map((row: { project_id: number }) => row.project_id);
  assert.deepEqual(await projectsFor(admin), [one.id, two.id]);
  assert.deepEqual(await projectsFor(client), [two.id]);
  const [row] = (await client.get(`${url}/${id}`)).body.projects;
  assert.deepEqual(Object.keys(row), ["project_id", "key", "name", "role_id"]);
  assert.deepEqual([row.key, row.name], [two.key, `Project ${two.key}`]);
});

test("deleting a team ends the access through it, and notifications keep its name", async () => {
  const project = await makeProject(t.db, workspace.id);
  const team = await makeTeam(t.db, workspace.id, { projects: [project] });
  await admin.post(`${url}/${team.id}/members/${user.id}`);
  assert.equal((await client.get(`/api/projects/${project.id}`)).status, 200);
  assert.equal((await admin.delete(`${url}/${team.id}`)).status, 204);
  assert.equal((await client.get(`/api/projects/${project.id}`)).status, 403);
  assert.equal((await admin.delete(`${url}/${team.id}`)).status, 404);
  assert.deepEqual((await admin.get(url)).body.data, []);
  const [entry] = await inboxOf(t, user);
  assert.deepEqual(entry?.notifiable, { type: "team", id: team.id, name: team.name });
});

test("only administrators can change teams, and another workspace's team returns 404 before the body is read", async () => {
  const { id } = await create("Core");
  const project = await makeProject(t.db, workspace.id);
  const manager = await as(await makeMember(t.db, project.id, { role: "Manager", is_owner: true }));
  const other = await makeWorkspace(t.db);
  const outsider = await as(other.admin);
  const token = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
  for (const one of [manager, outsider, token]) {
    assert.equal((await one.post(url, { name: "X" })).status, 403);
    assert.equal((await one.patch(`${url}/${id}`, { name: "X" })).status, 403);
    assert.equal((await one.delete(`${url}/${id}`)).status, 403);
    assert.equal((await one.post(`${url}/${id}/members/${user.id}`)).status, 403);
    assert.equal((await one.delete(`${url}/${id}/members/${user.id}`)).status, 403);
  }
  for (const one of [outsider, token]) {
    assert.equal((await one.get(url)).status, 403);
    assert.equal((await one.get(`${url}/${id}`)).status, 403);
  }
  const foreign = await makeTeam(t.db, other.id, { members: [other.admin] });
  for (const wrong of [foreign.id, 999_999, "x", "0"]) {
    const path = `${url}/${wrong}`;
    assert.equal((await admin.get(path)).status, 404, path);
    assert.equal((await admin.patch(path, { name: 1 })).status, 404, path);
    assert.equal((await admin.delete(path)).status, 404, path);
    assert.equal((await admin.post(`${path}/members/${user.id}`)).status, 404, path);
    assert.equal((await admin.delete(`${path}/members/${other.admin.id}`)).status, 404, path);
  }
});
