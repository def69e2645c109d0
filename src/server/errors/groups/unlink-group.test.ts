import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf } from "../../../../test/support/client.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { issuesOf, promote } from "../../../../test/support/promote-group.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

const takeBack = ({ admin, groups }: TestProject, id: number) =>
  admin.delete(`${groups}/${id}/link?delete_issue=true`);

test("the issue that was created from an error is deleted with the link, and the error can be promoted again", async () => {
  const project = await open();
  const { id } = await project.first();
  await promote(project, id);
  const answer = await takeBack(project, id);
  assert.deepEqual([answer.status, answer.body.linked_issue_id], [200, null], answer.text);
  assert.deepEqual(await issuesOf(project), []);
  assert.equal((await promote(project, id)).status, 200);
});

test("an issue that has changed since the error was promoted stays, and so does the link", async () => {
  const project = await open();
  const { id } = await project.first();
  const { linked_issue_id } = (await promote(project, id)).body;
  await project.admin.patch(`/api/projects/${project.id}/issues/${linked_issue_id}`, { priority: 4 });
  const answer = await takeBack(project, id);
  assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["delete_issue"]]);
  assert.equal((await project.only()).linked_issue_id, linked_issue_id);
});

test("an issue to which an error was linked later is not deleted with the link, and neither is none", async () => {
  const project = await open();
  const { id } = await project.first();
  assert.deepEqual(fieldsOf(await takeBack(project, id)), ["delete_issue"]);
  const { body } = await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Known" });
  await project.admin.post(`${project.groups}/${id}/link`, { issue: body.id });
  assert.deepEqual(fieldsOf(await takeBack(project, id)), ["delete_issue"]);
  assert.equal((await issuesOf(project)).length, 1);
});
