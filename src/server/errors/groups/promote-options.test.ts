import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../../shared/reports.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { issuesOf } from "../../../../test/support/promote-group.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://track.example.org" });
const workspace = await makeWorkspace(t.db);
const open = () => openProject(t, workspace);

const pointsOf = (text: string) => Array.from(text).length;

test("reports are promoted to the issue of the error, and one that cannot be promoted refuses all", async () => {
  const [project, other] = [await open(), await open()];
  const { id } = await project.first();
  const makeReport = async ({ id: projectId, admin }: TestProject): Promise<Report> =>
    (await admin.post(`/api/projects/${projectId}/reports`, { title: "Help", description: "It broke" })).body;
  const [first, second, dismissed] = [
    await makeReport(project),
    await makeReport(project),
    await makeReport(project),
  ];
  const reports = `/api/projects/${project.id}/reports`;
  await project.admin.post(`${reports}/${dismissed.id}/dismiss`, { category: "invalid" });
  const foreign = await makeReport(other);
  const promoteWith = (report_ids: unknown, groupId = id, as = project.admin) =>
    as.post(`${project.groups}/${groupId}/promote`, { report_ids });

  const refused = await promoteWith([first.id, dismissed.id, foreign.id, 999_999_999]);
  assert.deepEqual(
    [refused.status, refused.body.errors],
    [
      422,
      {
        "report_ids.1": ["is already dismissed"],
        "report_ids.2": ["is not a report of the project"],
        "report_ids.3": ["is not a report of the project"],
      },
    ],
  );
  for (const [ids, field] of [
    [first.id, "report_ids"],
    [[first.id, first.id], "report_ids"],
    [["1"], "report_ids.0"],
  ] as const) {
    const answer = await promoteWith(ids);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]]);
  }
  const settler = t.http.as(
    await makePersonalToken(
      t.db,
      (await makeMember(t.db, project.id, { role: { permissions: ["error-groups:update", "reports:read"] } }))
        .id,
    ),
  );
  assert.equal((await promoteWith([first.id], id, settler)).status, 403);
  assert.deepEqual(await issuesOf(project), []);
  assert.equal((await project.only()).linked_issue_id, null);

  const answer = await promoteWith([second.id, first.id]);
  assert.equal(answer.status, 200, answer.text);
  const [issue, ...more] = await issuesOf(project);
  assert.deepEqual(more, []);
  assert.equal(answer.body.linked_issue_id, issue?.id);
  assert.deepEqual([issue?.error_group_ids, issue?.report_ids], [[id], [first.id, second.id]]);
  assert.deepEqual((await other.admin.get(`/api/projects/${other.id}/reports`)).body, [foreign]);

  await project.send({ exception_class: "Another" });
  const next = (await project.admin.get(`${project.groups}?query=Another`)).body.data[0].id;
  const again = await promoteWith([first.id], next);
  assert.deepEqual(again.body.errors, { "report_ids.0": ["is already promoted"] });
  assert.equal((await promoteWith(null, next, settler)).status, 200);
});

test("a template adds to the texts of the issue and fills its lane, labels and priority", async () => {
  const project = await open();
  const p = `/api/projects/${project.id}`;
  const { body: label } = await project.admin.post(`${p}/labels`, { name: "payments", color: "#1f6feb" });
  const lane = (await project.admin.get(`${p}/lanes`)).body.data[1];
  const fields = { type: 0, priority: 3, lane_id: lane.id, label_ids: [label.id] };
  const texts = { title: "Payments:", description: "## Impact" };
  const template = await project.admin.post(`${p}/issue-templates`, { name: "Bug", ...texts, ...fields });
  const { id } = await project.first({
    exception_class: "E",
    message: "é".repeat(300),
    stack_trace: "x\n".repeat(40_000),
  });
  const answer = await project.admin.post(`${project.groups}/${id}/promote`, {
    template_id: template.body.id,
  });
  assert.equal(answer.status, 200, answer.text);
  const [issue] = await issuesOf(project);
  assert.deepEqual(
    { ...issue, description: "", title: issue?.title.slice(0, 14) },
    { ...issue, ...fields, type: 1, description: "", title: "Payments: E: é" },
  );
  assert.equal(pointsOf(issue?.title ?? ""), 255);
  assert.match(issue?.description ?? "", /^- Occurrences: 1\n[^]*x\n{1,2}…\n```\n\n## Impact$/);
  assert.ok(pointsOf(issue?.description ?? "") <= 65_535);
});

test("fields of the issue replace those from the error and the template", async () => {
  const project = await open();
  const p = `/api/projects/${project.id}`;
  const { id } = await project.first();
  const lane = (await project.admin.get(`${p}/lanes`)).body.data[1];
  const template = await project.admin.post(`${p}/issue-templates`, {
    name: "Bug",
    title: "Payments:",
    priority: 3,
  });
  const member = await makeMember(t.db, project.id, { role: "Member" });
  const fields = {
    title: "Vouchers fail",
    description: "See the log",
    type: 0,
    priority: 0,
    lane_id: lane.id,
    assignee_id: member.id,
    estimated_minutes: 30,
  };
  const promoteWith = (body: object) => project.admin.post(`${project.groups}/${id}/promote`, body);
  const refused = await promoteWith({ ...fields, lane_id: 999_999_999, title: "x".repeat(256) });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["title"]]);
  const unknown = await promoteWith({ ...fields, lane_id: 999_999_999 });
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors)], [422, ["lane_id"]]);
  assert.equal((await promoteWith({ ...fields, template_id: template.body.id })).status, 200);
  const [issue] = await issuesOf(project);
  assert.deepEqual({ ...issue, ...fields }, issue);
});

test("a template of another project, or without the permission to read issues, creates no issue", async () => {
  const [project, other] = [await open(), await open()];
  const { id } = await project.first();
  const foreign = await other.admin.post(`/api/projects/${other.id}/issue-templates`, { name: "Bug" });
  const promoteWith = (template_id: unknown, as = project.admin) =>
    as.post(`${project.groups}/${id}/promote`, { template_id });
  for (const [templateId, error] of [
    [foreign.body.id, "is not a template of the project"],
    ["1", "must be an integer"],
  ]) {
    const answer = await promoteWith(templateId);
    assert.deepEqual([answer.status, answer.body.errors], [422, { template_id: [error] }]);
  }
  const permissions = ["error-groups:update", "error-groups:read"];
  const settler = await makeMember(t.db, project.id, { role: { permissions } });
  const own = await project.admin.post(`/api/projects/${project.id}/issue-templates`, { name: "Bug" });
  const refused = await promoteWith(own.body.id, t.http.as(await makePersonalToken(t.db, settler.id)));
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /issues:read/);
  assert.deepEqual(await issuesOf(project), []);
});
