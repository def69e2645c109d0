import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { fieldsOf } from "../../../test/support/client.ts";
import { collide } from "../../../test/support/collide.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const promote = async (reports: Report[], more: object = {}): Promise<Report[]> => {
  const body = { report_ids: reports.map(({ id }) => id), title: "Do it", description: "Now", ...more };
  const answer = await p.admin.post(`${p.reports}/promote`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const unpromote = (report: { id: number }, body?: object) => p.admin.post(`${p.of(report)}/unpromote`, body);
const issuePath = (report: Report | undefined) => `/api/projects/${p.id}/issues/${report?.promoted_issue_id}`;
const readIssue = (report: Report | undefined) => p.admin.get(issuePath(report));
const makeError = async () => {
  await p.token.post(`/api/projects/${p.id}/error-events`, anEvent({ exception_class: "Broken" }));
  return (await p.admin.get(`/api/projects/${p.id}/error-groups`)).body.data[0];
};

test("a report returns to its place in the queue, and its issue stays", async () => {
  const [first, second, third] = [await p.create("First"), await p.create("Second"), await p.create("Third")];
  const [promoted] = await promote([second]);
  const answer = await unpromote(second);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { ...second, updated_at: answer.body.updated_at });
  assert.ok(answer.body.updated_at > (promoted?.updated_at ?? ""));
  assert.deepEqual(await p.list("active"), [first, answer.body, third]);
  const issue = await readIssue(promoted);
  assert.deepEqual([issue.status, issue.body.report_ids], [200, []]);
});

test("a report whose issue was deleted returns to the queue and can be promoted again", async () => {
  const report = await p.create();
  const [promoted] = await promote([report]);
  assert.equal((await p.admin.delete(issuePath(promoted))).status, 204);
  const refused = await unpromote(report, { delete_issue: true });
  assert.deepEqual([refused.status, fieldsOf(refused)], [422, ["delete_issue"]]);
  assert.equal((await unpromote(report, {})).status, 200);
  await promote([report]);
});

test("an issue is deleted together with its promotion, and its error is unlinked", async () => {
  const report = await p.create();
  const error = await makeError();
  const [blocker] = await promote([await p.create()]);
  const [promoted] = await promote([report], {
    error_group_ids: [error.id],
    blocked_by_ids: [blocker?.promoted_issue_id],
  });
  const answer = await unpromote(report, { delete_issue: true });
  assert.deepEqual([answer.status, answer.body.promoted_issue_id], [200, null], answer.text);
  assert.equal((await readIssue(promoted)).status, 404);
  const group = (await p.admin.get(`/api/projects/${p.id}/error-groups/${error.id}`)).body;
  assert.equal(group.linked_issue_id, null);
  assert.deepEqual((await readIssue(blocker)).body.blocks_ids, []);
});

test("the issue of several reports is deleted with the last of them", async () => {
  const reports = [await p.create(), await p.create()];
  const [promoted] = await promote(reports);
  const [first, second] = reports as [Report, Report];
  assert.deepEqual(fieldsOf(await unpromote(first, { delete_issue: true })), ["delete_issue"]);
  assert.equal((await unpromote(first)).status, 200);
  assert.equal((await unpromote(second, { delete_issue: true })).status, 200);
  assert.equal((await readIssue(promoted)).status, 404);
});

const TOUCHES: Record<string, (promoted: Report) => Promise<{ status: number }>> = {
  "has a comment": (promoted) => p.admin.post(`${issuePath(promoted)}/comments`, { content: "Noted" }),
  "was changed": (promoted) => p.admin.patch(issuePath(promoted), { priority: 0 }),
  "has a new description": (promoted) => p.admin.patch(issuePath(promoted), { description: "Later" }),
  "has a further report": async (promoted) => {
    const { id } = await p.create();
    return p.admin.post(`${p.reports}/link`, { report_ids: [id], issue: promoted.promoted_issue_id });
  },
  "has a further error": async (promoted) =>
    p.admin.post(`/api/projects/${p.id}/error-groups/${(await makeError()).id}/link`, {
      issue: promoted.promoted_issue_id,
    }),
  "has a sub-issue": (promoted) =>
    p.admin.post(`/api/projects/${p.id}/issues`, { title: "Part", parent_id: promoted.promoted_issue_id }),
  "is the original of a report": async (promoted) =>
    p.admin.post(`${p.of(await p.create())}/dismiss`, {
      category: "duplicate",
      duplicate_of: { issue_id: promoted.promoted_issue_id },
    }),
};
for (const [what, touch] of Object.entries(TOUCHES))
  test(`an issue that ${what} is not deleted, and its report stays promoted`, async () => {
    const report = await p.create();
    const [promoted] = (await promote([report])) as [Report];
    assert.ok((await touch(promoted)).status < 300);
    const { body: before } = await p.admin.get(p.of(report));
    const answer = await unpromote(report, { delete_issue: true });
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["delete_issue"]]);
    assert.deepEqual((await p.admin.get(p.of(report))).body, before);
    assert.equal(before.promoted_issue_id, promoted.promoted_issue_id);
    assert.equal((await readIssue(promoted)).status, 200);
  });

test("an issue that existed before is not deleted", async () => {
  const report = await p.create();
  const { body: issue } = await p.admin.post(`/api/projects/${p.id}/issues`, { title: "Known" });
  await p.admin.post(`${p.reports}/link`, { report_ids: [report.id], issue: issue.key });
  assert.deepEqual(fieldsOf(await unpromote(report, { delete_issue: true })), ["delete_issue"]);
  assert.equal((await unpromote(report)).status, 200);
  assert.equal((await p.admin.get(`/api/projects/${p.id}/issues/${issue.id}`)).status, 200);
});

test("a report that is not promoted cannot be returned, and an unknown one returns 404", async () => {
  const [active, dismissed] = [await p.create(), await p.create()];
  await p.admin.post(`${p.of(dismissed)}/dismiss`, { category: "invalid" });
  const before = await p.list();
  for (const report of [active, dismissed]) {
    const answer = await unpromote(report);
    assert.deepEqual([answer.status, answer.body.message], [422, "The report is not promoted."]);
  }
  assert.equal((await unpromote({ id: 999_999 }, { delete_issue: "x" })).status, 404);
  assert.deepEqual(await p.list(), before);
});

test("if two requests race to return a report, one wins, and its history has it once", async () => {
  const report = await p.create();
  await promote([report]);
  const answers = await collide(
    t.database,
    `select from projects where id = ${p.id} for update`,
    async (waiting) => {
      const requests = [unpromote(report, { delete_issue: true }), unpromote(report)];
      await waiting(2);
      return requests;
    },
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
  const { data } = (await p.admin.get(`${p.of(report)}/activity`)).body;
  assert.deepEqual(
    data.map(({ kind }: { kind: string }) => kind),
    ["created", "promoted", "unpromoted"],
  );
});

test("a repeated request with an idempotency key returns the first response", async () => {
  const report = await p.create();
  await promote([report]);
  const send = () =>
    p.admin.send({
      method: "POST",
      url: `${p.of(report)}/unpromote`,
      headers: { "idempotency-key": "once" },
    });
  const [first, second] = [await send(), await send()];
  assert.deepEqual([second.status, second.body], [200, first.body]);
});
