import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../test/support/client.ts";
import {
  makeCookie,
  makeMember,
  makePersonalToken,
  makeProject,
  makeRole,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let workspace: { id: number; admin: TestUser };
let admin: Client;
let project: { id: number };
let second: { id: number };
let inWorkspace: string;
let url: string;
const t = await useTestApp();
beforeEach(async () => {
  workspace = await makeWorkspace(t.db);
  admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  project = await makeProject(t.db, workspace.id);
  second = await makeProject(t.db, workspace.id);
  await makeProject(t.db, (await makeWorkspace(t.db)).id);
  inWorkspace = `/api/workspaces/${workspace.id}`;
  url = `/api/projects/${project.id}`;
});

type Answer = { status: number; text: string; body: { id: number } };

/** Runs the action and compares the projects whose changes are announced, without duplicates. */
async function tells(work: () => Promise<Answer>, expected: { id: number }[]): Promise<number> {
  await t.db.deleteFrom("changes").execute();
  const answer = await work();
  assert.ok(answer.status < 300, answer.text);
  assert.deepEqual(
    await announced(),
    expected.map(({ id }) => `project ${id} ${id}`),
  );
  return answer.body?.id;
}

async function announced(): Promise<string[]> {
  const rows = await t.db
    .selectFrom("changes")
    .select(["kind", "project_id", "target_id"])
    .where("kind", "=", "project")
    .orderBy("project_id")
    .execute();
  return [...new Set(rows.map((row) => `${row.kind} ${row.project_id} ${row.target_id}`))];
}

for (const [what, body, change] of [
  ["lanes", { name: "Review", kind: "doing", position: 1 }, { position: 0 }],
  ["labels", { name: "urgent", color: "#112233" }, { color: "#445566" }],
  ["sprints", { name: "First" }, { state: "active" }],
] as const)
  test(`a project is announced when one of its ${what} is created, changed and deleted`, async () => {
    const id = await tells(() => admin.post(`${url}/${what}`, body), [project]);
    await tells(() => admin.patch(`${url}/${what}/${id}`, change), [project]);
    await tells(() => admin.delete(`${url}/${what}/${id}`), [project]);
  });

test("a project is announced when a member is added, changed and removed", async () => {
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  await tells(() => admin.post(`${url}/members`, { user_id: user.id, role_id }), [project]);
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await tells(() => browser.patch(`${url}/members/${user.id}`, { is_owner: true }), [project]);
  await tells(() => admin.delete(`${url}/members/${user.id}`), [project]);
});

test("every project of a team is announced when the team is added or removed, and when the team changes", async () => {
  const role_id = await makeRole(t.db, workspace.id, "Viewer");
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const id = await tells(() => admin.post(`${inWorkspace}/teams`, { name: "Ops" }), []);
  const team = `${inWorkspace}/teams/${id}`;
  for (const one of [project, second])
    await tells(() => admin.put(`/api/projects/${one.id}/teams/${id}`, { role_id }), [one]);
  await tells(() => admin.patch(team, { name: "Operations" }), [project, second]);
  await tells(() => admin.post(`${team}/members/${user.id}`), [project, second]);
  await tells(() => admin.delete(`${team}/members/${user.id}`), [project, second]);
  await tells(() => admin.delete(`${url}/teams/${id}`), [project]);
  await tells(() => admin.delete(team), [second]);
});

test("every project in which a role is assigned is announced when its permissions change", async () => {
  const role_id = await tells(
    () => admin.post(`${inWorkspace}/roles`, { name: "Tester", permissions: ["issues:read"] }),
    [],
  );
  const change = (permissions: string[]) => () =>
    admin.patch(`${inWorkspace}/roles/${role_id}`, { permissions });
  await tells(change([]), []);
  const user = await makeMember(t.db, project.id);
  await t.db.updateTable("project_members").set({ role_id }).where("user_id", "=", user.id).execute();
  await tells(change(["issues:read"]), [project]);
  const { id } = (await admin.post(`${inWorkspace}/teams`, { name: "Ops" })).body;
  await admin.put(`/api/projects/${second.id}/teams/${id}`, { role_id });
  await tells(change([]), [project, second]);
});

test("every project of a workspace is announced when a feature is switched, but not when the workspace is renamed", async () => {
  await tells(() => admin.patch(inWorkspace, { features: { reports: false } }), [project, second]);
  await tells(() => admin.patch(inWorkspace, { name: "Other" }), []);
});

test("every project of a workspace is announced when a user becomes administrator, is deactivated or is removed", async () => {
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const member = `${inWorkspace}/members/${user.id}`;
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  await tells(() => browser.patch(member, { is_admin: true }), [project, second]);
  await tells(() => browser.patch(member, { is_admin: true }), []);
  await tells(() => admin.patch(member, { active: false }), [project, second]);
  await tells(() => admin.delete(member), [project, second]);
});

test("nothing is announced when a project is deleted with its content", async () => {
  const { id } = (await admin.post(`${url}/epics`, { title: "Spring" })).body;
  for (let n = 0; n < 3; n++) await admin.post(`${url}/issues`, { title: "Broken", epic_id: id });
  await admin.post(`${url}/reports`, { title: "T", description: "D" });
  await makeMember(t.db, project.id);
  await tells(() => admin.delete(url), []);
});
