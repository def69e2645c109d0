import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Makes someone a member while they do something in the project, and returns their id. */
async function leave(
  { id, admin }: TestProject,
  work: (me: { id: number; post: TestProject["admin"]["post"] }) => Promise<{ status: number }>,
) {
  const member = await makeMember(t.db, id);
  const { post } = t.http.as(await makePersonalToken(t.db, member.id));
  assert.equal((await work({ id: member.id, post })).status, 200);
  assert.equal((await admin.delete(`/api/projects/${id}/members/${member.id}`)).status, 204);
  return member.id;
}

const former = async ({ id, admin }: TestProject) =>
  ((await admin.get(`/api/projects/${id}/people?former=true`)).body.data as ProjectPerson[]).map(
    ({ user_id }) => user_id,
  );

test("those who were assigned, resolved or changed an error group are among the former people, in its project only", async () => {
  const [project, other] = [await openProject(t, workspace), await openProject(t, workspace)];
  const { id } = await project.first();
  await other.first();
  const group = `${project.groups}/${id}`;
  const left = [
    await leave(project, ({ id: assignee_id }) => project.admin.patch(group, { assignee_id })),
    await leave(project, ({ post }) => post(`${group}/ignore`)),
    await leave(project, ({ post }) => post(`${group}/resolve`)),
  ];
  assert.deepEqual(await former(project), left);
  assert.deepEqual(await former(other), []);
});

test("those who changed a group stay among the former people after it was merged", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const left = await leave(project, ({ post }) => post(`${project.groups}/${b.id}/ignore`));
  await mergeInto(project, a.id, [b.id]);
  assert.deepEqual(await former(project), [left]);
});
