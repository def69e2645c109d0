import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { issuesOf, promote } from "../../../../test/support/promote-group.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://track.example.org" });
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

test("an unknown group, or one of another project, returns 404 and creates no issue", async () => {
  const [project, other] = [await open(), await open()];
  const foreign = await other.first();
  for (const id of [foreign.id, 999_999, "x", 0])
    assert.equal((await promote(project, id as number)).status, 404, String(id));
  assert.deepEqual(await issuesOf(project), []);
  assert.equal((await other.only()).linked_issue_id, null);
});

test("promoting requires Error Groups: Update and no permission for issues; a project token is refused", async () => {
  const project = await open();
  const { id } = await project.first();
  const withPermissions = async (...permissions: string[]) =>
    t.http.as(
      await makePersonalToken(t.db, (await makeMember(t.db, project.id, { role: { permissions } })).id),
    );
  const reader = await withPermissions("error-groups:read", "issues:create", "issues:update");
  assert.equal((await promote(project, id, reader)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
  assert.equal((await promote(project, id, token)).status, 403);
  assert.equal((await promote(project, id, t.http)).status, 401);
  const settler = await withPermissions("error-groups:update");
  assert.equal((await promote(project, id, settler)).status, 200);
});

test("without the feature Reports, an error is promoted, but not with reports", async () => {
  const off = await makeWorkspace(t.db, { features: { reports: false } });
  const project = await openProject(t, off);
  const { id } = await project.first();
  const answer = await project.admin.post(`${project.groups}/${id}/promote`, { report_ids: [1] });
  assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
  assert.equal((await promote(project, id)).status, 200);
});

test("without the Error Tracking feature, promoting returns 403 and names the feature", async () => {
  const off = await makeWorkspace(t.db, { features: {} });
  const project = await openProject(t, off);
  const { id } = await project.first();
  await project.admin.patch(`/api/workspaces/${off.id}`, { features: { error_tracking: false } });
  const answer = await promote(project, id);
  assert.deepEqual([answer.status, answer.body.feature_restricted], [403, true]);
});
