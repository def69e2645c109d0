import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Lane, LaneKind } from "../../../shared/lanes.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { issuesOf } from "../../../../test/support/promote-group.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { reopenRegressedIssues } from "../../work/issues/reopen-regressed.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A project with an error of release 1.0.0 and a report, whose issues can be created in a lane of each kind. */
async function open(lifecycle = { close_resolves: true, regression_reopens: true }) {
  const project = await openProject(t, workspace);
  const { admin } = project;
  const p = `/api/projects/${project.id}`;
  await admin.patch(p, { lifecycle });
  const lanes = (await admin.get(`${p}/lanes`)).body.data as Lane[];
  const laneOf = (kind: LaneKind) => (lanes.find((lane) => lane.kind === kind) as Lane).id;
  const { id } = await project.first({ release: "1.0.0" });
  const report = (await admin.post(`${p}/reports`, { title: "Help", description: "It broke" })).body;
  const read = async () => (await admin.get(`${project.groups}/${id}`)).body as ErrorGroup;
  const promoteReport = async (kind: LaneKind) => {
    const issue = { title: "Fixed already", description: "By hand", lane_id: laneOf(kind) };
    const body = { report_ids: [report.id], error_group_ids: [id], ...issue };
    assert.equal((await admin.post(`${p}/reports/promote`, body)).status, 200);
  };
  const promoteGroup = async (kind: LaneKind) => {
    const template = await admin.post(`${p}/issue-templates`, { name: "Bug", lane_id: laneOf(kind) });
    const body = { template_id: template.body.id };
    const answer = await admin.post(`${project.groups}/${id}/promote`, body);
    assert.equal(answer.status, 200);
    return answer.body as ErrorGroup;
  };
  return { project, admin, p, id, laneOf, read, promoteReport, promoteGroup };
}

const resolution = ({ status, resolved_in, resolved_by_id }: ErrorGroup) => [
  status,
  resolved_in,
  resolved_by_id,
];
const BY_THE_ISSUE = [1, { mode: "next_release", release: null }, workspace.admin.id];

test("promoting a report with an error into a done lane resolves the error in the next release", async () => {
  const { project, admin, id, read, promoteReport } = await open();
  await promoteReport("done");
  assert.deepEqual(resolution(await read()), BY_THE_ISSUE);
  const { data } = (await admin.get(`${project.groups}/${id}/activity`)).body;
  assert.deepEqual(
    (data as ErrorGroupActivity[]).slice(-2).map(({ kind, actor_id }) => [kind, actor_id]),
    [
      ["linked", workspace.admin.id],
      ["resolved", workspace.admin.id],
    ],
  );
});

test("promoting an error with a template for a done lane resolves it, and the response says so", async () => {
  const { promoteGroup } = await open();
  assert.deepEqual(resolution(await promoteGroup("done")), BY_THE_ISSUE);
});

test("an error whose issue was created in a done lane follows it when it is reopened", async () => {
  const { project, admin, p, laneOf, read, promoteReport } = await open();
  await promoteReport("done");
  const [issue] = await issuesOf(project);
  await admin.patch(`${p}/issues/${issue?.id}`, { lane_id: laneOf("todo") });
  assert.equal((await read()).status, 0);
});

test("a regression reopens an issue that was created in a done lane", async () => {
  const { project, read, promoteReport } = await open();
  await promoteReport("done");
  await project.send({ release: "1.1.0" });
  await reopenRegressedIssues(t.db, new AbortController().signal);
  const [issue] = await issuesOf(project);
  assert.deepEqual([(await read()).status, issue?.closed_at], [0, null]);
});

test("an ignored error, and one of a project without the setting, keep their status", async () => {
  const ignored = await open();
  await ignored.admin.post(`${ignored.project.groups}/${ignored.id}/ignore`);
  await ignored.promoteReport("done");
  assert.equal((await ignored.read()).status, 2);
  const off = await open({ close_resolves: false, regression_reopens: false });
  await off.promoteReport("done");
  assert.equal((await off.read()).status, 0);
});

test("promoting into a lane of another kind leaves the error open", async () => {
  const { promoteGroup } = await open();
  assert.equal((await promoteGroup("doing")).status, 0);
});
