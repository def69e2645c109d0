import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../../test/support/project.ts";
import { rowsRead } from "../../../../../test/support/rows-read.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Makes someone a member while they do something in the project, and returns their id. */
async function leave(
  { id, admin }: TestProject,
  work: (me: { id: number; client: TestProject["admin"] }) => Promise<{ status: number }>,
) {
  const member = await makeMember(t.db, id);
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  assert.equal((await work({ id: member.id, client })).status, 200);
  assert.equal((await admin.delete(`/api/projects/${id}/members/${member.id}`)).status, 204);
  return member.id;
}

const former = async ({ id, admin }: TestProject) =>
  ((await admin.get(`/api/projects/${id}/people?former=true`)).body.data as ProjectPerson[]).map(
    ({ user_id }) => user_id,
  );

test("users who were assigned, resolved or changed an error group are among the former people, in its project only", async () => {
  const [project, other] = [await openProject(t, workspace), await openProject(t, workspace)];
  const { id } = await project.first();
  await other.first();
  const group = `${project.groups}/${id}`;
  const left = [
    await leave(project, ({ id: assignee_id }) => project.admin.patch(group, { assignee_id })),
    await leave(project, ({ client }) => client.post(`${group}/ignore`)),
    await leave(project, ({ client }) => client.post(`${group}/resolve`)),
  ];
  assert.deepEqual(await former(project), left);
  assert.deepEqual(await former(other), []);
});

test("users who created, were assigned or changed an issue are among the former people, in its project only", async () => {
  const [project, other] = [await openProject(t, workspace), await openProject(t, workspace)];
  const issues = `/api/projects/${project.id}/issues`;
  const issue = (await project.admin.post(issues, { title: "Pay" })).body.id;
  await other.admin.post(`/api/projects/${other.id}/issues`, { title: "Elsewhere" });
  const update = (of: TestProject["admin"], body: object) => of.patch(`${issues}/${issue}`, body);
  const left = [
    await leave(project, ({ client }) => update(client, { priority: 3 })),
    await leave(project, ({ client }) => update(client, { title: "Pay more" })),
    await leave(project, ({ id: assignee_id }) => update(project.admin, { assignee_id })),
  ];
  assert.deepEqual(await former(project), left);
  assert.deepEqual(await former(other), []);
});

test("the former people of a project are found without reading its history", async () => {
  const project = await openProject(t, workspace);
  const issue = (await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Pay" })).body.id;
  await sql`
    insert into issue_activity (issue_id, actor_id, kind)
    select ${issue}, ${workspace.admin.id}, 'priority' from generate_series(1, 5000)`.execute(t.db);
  await sql`analyze issue_activity`.execute(t.db);
  const before = await rowsRead(t.database, "issue_activity");
  assert.deepEqual(await former(project), []);
  const read = (await rowsRead(t.database, "issue_activity")) - before;
  assert.ok(read < 50, `read ${read} rows`);
});

test("users who changed a group stay among the former people after it was merged", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const left = await leave(project, ({ client }) => client.post(`${project.groups}/${b.id}/ignore`));
  await mergeInto(project, a.id, [b.id]);
  assert.deepEqual(await former(project), [left]);
});
