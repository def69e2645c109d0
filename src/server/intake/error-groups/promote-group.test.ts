import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Report } from "../../../shared/reports.ts";
import type { Issue } from "../../../shared/issues.ts";
import { collide } from "../../../../test/support/collide.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://track.example.org" });
const workspace = await makeWorkspace(t.db);

const open = () => openProject(t, workspace);
const promote = (project: TestProject, id: number, as = project.admin) =>
  as.post(`${project.groups}/${id}/promote`);
const issuesOf = async (project: TestProject): Promise<Issue[]> =>
  (await project.admin.get(`/api/projects/${project.id}/issues`)).body.data;

/** The issue created from the event's group. */
async function promoted(event: Record<string, unknown>): Promise<{ issue: Issue; group: ErrorGroup }> {
  const project = await open();
  const { id } = await project.first(event);
  const answer = await promote(project, id);
  assert.equal(answer.status, 200, answer.text);
  const [issue] = await issuesOf(project);
  return { issue: issue as Issue, group: answer.body };
}

const pointsOf = (text: string) => Array.from(text).length;

test("promoting returns the full group and links it in both directions with a Bug in the first lane", async () => {
  const project = await open();
  const before = await project.first({ exception_class: "TypeError", message: "x is not a function" });
  const answer = await promote(project, before.id);
  assert.equal(answer.status, 200);
  const [issue] = await issuesOf(project);
  const { updated_at, ...rest } = answer.body;
  assert.ok(updated_at > before.updated_at);
  assert.deepEqual(
    { ...rest, updated_at: before.updated_at },
    { ...before, linked_issue_id: issue?.id, linked_at: issue?.created_at.replace("Z", "+00:00") },
  );
  assert.deepEqual(await project.only(), answer.body);
  const lanes = (await project.admin.get(`/api/projects/${project.id}/lanes`)).body.data;
  assert.equal(issue?.error_group_id, before.id);
  assert.deepEqual([issue.type, issue.priority, issue.lane_id], [1, 1, lanes[0].id]);
  assert.equal(issue.created_by, workspace.admin.id);
  assert.equal(issue.title, "TypeError: x is not a function");
});

test("the description contains trace, count, environment, both times and a link to the group", async () => {
  const project = await open();
  const trace = "#0 /srv/app/src/Cart.php(12): total()\n#1 {main}";
  const event = { environment: "staging", stack_trace: trace };
  await project.send(event);
  const group = await project.first(event);
  await promote(project, group.id);
  const [issue] = await issuesOf(project);
  const [key] = issue?.key.split("-") ?? [];
  assert.equal(
    issue?.description,
    [
      "- Occurrences: 2",
      "- Environment: ` staging `",
      `- First seen: ${group.first_seen_at}`,
      `- Last seen: ${group.last_seen_at}`,
      `- Error group: https://track.example.org/projects/${key}/errors/${group.id}`,
      "",
      "```",
      trace,
      "```",
    ].join("\n"),
  );
});

test("the title is one line, truncated to 255 characters between characters", async () => {
  const lines = await promoted({ exception_class: "E", message: "one\r\ntwo\nthree\rfour\u2028five\tsix" });
  assert.equal(lines.issue.title, "E: one two three four five six");
  assert.equal((await promoted({ exception_class: "E", message: "" })).issue.title, "E: ");
  const long = await promoted({ exception_class: "E", message: "😀".repeat(300) });
  assert.equal(long.issue.title, `E: ${"😀".repeat(252)}`);
  const breaks = await promoted({ exception_class: "E", message: `${"\r\n".repeat(251)}xy` });
  assert.equal(breaks.issue.title, `E: ${" ".repeat(251)}x`);
  const all = await promoted({ exception_class: "C".repeat(255), message: "m" });
  assert.equal(all.issue.title, "C".repeat(255));
});

test("of a description that is too long, only the trace is truncated", async () => {
  const environment = "`".repeat(200);
  const { issue } = await promoted({ environment, stack_trace: "😀".repeat(131_072) });
  const description = issue.description as string;
  assert.ok(pointsOf(description) <= 65_535);
  assert.ok(pointsOf(description) > 65_000);
  assert.match(description, /^- Occurrences: 1\n- Environment: `{201} `{200} `{201}\n- First seen: /);
  assert.match(description, /errors\/\d+\n\n```\n(?:😀)+\n…\n```$/u);
});

for (const [name, trace] of [
  ["a closing fence", "a\n```\n# b\n````\nc"],
  ["fences of every length", Array.from({ length: 300 }, (_, n) => "`".repeat(n)).join("\n")],
  ["nothing but backticks", "`".repeat(131_072)],
  ["backticks behind much text", `${"x".repeat(65_000)}\n${"`".repeat(60_000)}`],
  ["backticks in the middle", `${"x".repeat(30_000)}\n${"`".repeat(20_000)}\n${"x".repeat(30_000)}`],
  ["carriage returns", "a\r```\rb\r\n```\r\nc"],
] as const)
  test(`a trace with ${name} stays inside its code block`, async () => {
    const { issue } = await promoted({ stack_trace: trace });
    const description = issue.description as string;
    assert.ok(pointsOf(description) <= 65_535, String(pointsOf(description)));
    const [, fence = "", body = ""] = /\n\n(`{3,})\n([^]*)\n\1$/.exec(description) ?? [];
    assert.ok(fence.length >= 3);
    for (const run of body.match(/`+/g) ?? []) assert.ok(run.length < fence.length);
    const begun = body.replace(/\n…$/, "");
    assert.ok(begun.length > 10 && trace.startsWith(begun));
  });

test("promoting a linked group returns 422 with a message and creates no second issue", async () => {
  const project = await open();
  const { id } = await project.first();
  assert.equal((await promote(project, id)).status, 200);
  const again = await promote(project, id);
  assert.equal(again.status, 422);
  assert.deepEqual(again.body, { message: "The error group is already linked to an issue." });
  assert.equal((await issuesOf(project)).length, 1);
});

test("of two concurrent promotions one wins, and the other consumes not even an issue number", async () => {
  const project = await open();
  const { id } = await project.first();
  const lock = `select from error_groups where id = ${id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const first = promote(project, id);
    await waiting(1);
    const second = promote(project, id);
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 422],
  );
  const issues = await issuesOf(project);
  assert.deepEqual(
    issues.map((issue) => issue.error_group_id),
    [id],
  );
  const next = await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Next" });
  assert.match(next.body.key, /-2$/);
});

test("events that arrive during a promotion are counted and keep the link", async () => {
  const project = await open();
  const { id } = await project.first();
  const [answer] = await Promise.all([
    promote(project, id),
    ...Array.from({ length: 20 }, () => project.send()),
  ]);
  assert.equal(answer.status, 200);
  const group = await project.only();
  assert.equal(group.occurrence_count, 21);
  assert.notEqual(group.linked_issue_id, null);
});

test("after its issue is deleted, the link is null and the group can be promoted again", async () => {
  const project = await open();
  const { id } = await project.first();
  const first = (await promote(project, id)).body;
  const url = `/api/projects/${project.id}/issues/${first.linked_issue_id}`;
  assert.equal((await project.admin.delete(url)).status, 204);
  assert.equal((await project.only()).linked_issue_id, null);
  const again = await promote(project, id);
  assert.equal(again.status, 200);
  assert.notEqual(again.body.linked_issue_id, first.linked_issue_id);
});

test("when the group is deleted, the issue stays without its link", async () => {
  const project = await open();
  const { id } = await project.first();
  await promote(project, id);
  await t.db.deleteFrom("error_groups").where("id", "=", id).execute();
  const [issue] = await issuesOf(project);
  assert.equal(issue?.error_group_id, null);
});

test("promoting does not change the status of a group", async () => {
  for (const verb of ["resolve", "ignore"]) {
    const project = await open();
    const { id } = await project.first();
    const settled = (await project.admin.post(`${project.groups}/${id}/${verb}`)).body;
    const answer = (await promote(project, id)).body;
    assert.equal(answer.status, settled.status);
    assert.equal(answer.resolved_at, settled.resolved_at);
  }
});

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
