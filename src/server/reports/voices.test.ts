import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const read = async (report: { id: number }): Promise<Report> => (await p.admin.get(p.of(report))).body;
const voicesOf = async (report: { id: number }) => (await read(report)).voices;

async function dismiss(report: { id: number }, duplicate_of: object) {
  const answer = await p.admin.post(`${p.of(report)}/dismiss`, { category: "duplicate", duplicate_of });
  assert.equal(answer.status, 200, answer.text);
}

async function promote(...reports: { id: number }[]): Promise<number> {
  const body = { report_ids: reports.map(({ id }) => id), title: "Do it", description: "Now" };
  const answer = await p.admin.post(`${p.reports}/promote`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body[0].promoted_issue_id;
}

const readIssue = async (id: number) => (await p.admin.get(`/api/projects/${p.id}/issues/${id}`)).body;

const setAddress = (report: { id: number }, author_email: string) =>
  t.db.updateTable("reports").set({ author_email }).where("id", "=", report.id).execute();

const subscribe = (report: { id: number }, email: string, confirmed_at: string | null = "2026-01-01") =>
  t.db.insertInto("report_subscriptions").values({ report_id: report.id, email, confirmed_at }).execute();

test("a report alone has one voice and no duplicates", async () => {
  const report = await p.create();
  assert.deepEqual([report.voices, report.duplicate_report_ids], [1, []]);
});

test("duplicates and their duplicates count for each report of the chain, and are listed on their originals", async () => {
  const [original, first, second, other] = [
    await p.create(),
    await p.create(),
    await p.create(),
    await p.create(),
  ];
  await dismiss(first, { report_id: original.id });
  await dismiss(second, { report_id: first.id });
  for (const report of [original, first, second]) assert.equal(await voicesOf(report), 3);
  assert.deepEqual((await read(original)).duplicate_report_ids, [first.id, second.id]);
  assert.deepEqual((await read(first)).duplicate_report_ids, [second.id]);
  assert.equal(await voicesOf(other), 1);
  assert.deepEqual(
    (await p.list()).map(({ voices }) => voices),
    [3, 3, 3, 1],
  );
});

test("reports of an issue and the duplicates of either count for all of them and for the issue", async () => {
  const [one, two, ofReport, ofIssue] = [
    await p.create(),
    await p.create(),
    await p.create(),
    await p.create(),
  ];
  const issueId = await promote(one, two);
  await dismiss(ofReport, { report_id: one.id });
  await dismiss(ofIssue, { issue_id: issueId });
  for (const report of [one, two, ofReport, ofIssue]) assert.equal(await voicesOf(report), 4);
  const issue = await readIssue(issueId);
  assert.deepEqual([issue.voices, issue.duplicate_report_ids], [4, [ofIssue.id]]);
  const { data } = (await p.admin.get(`/api/projects/${p.id}/issues`)).body;
  assert.equal(data[0].voices, 4);
});

test("an issue without reports has no voices", async () => {
  const { body } = await p.admin.post(`/api/projects/${p.id}/issues`, { title: "Ours" });
  assert.deepEqual([body.voices, body.duplicate_report_ids], [0, []]);
});

test("a person who wrote several reports counts once", async () => {
  const [original, first, second] = [await p.create(), await p.create(), await p.create()];
  await setAddress(original, "kim@example.com");
  await setAddress(first, "Kim@Example.com");
  await setAddress(second, "sam@example.com");
  await dismiss(first, { report_id: original.id });
  await dismiss(second, { report_id: original.id });
  assert.equal(await voicesOf(original), 2);
});

test("confirmed subscribers who wrote none of the reports count once", async () => {
  const [original, copy] = [await p.create(), await p.create()];
  await setAddress(copy, "kim@example.com");
  await dismiss(copy, { report_id: original.id });
  await subscribe(original, "sam@example.com");
  await subscribe(copy, "sam@example.com");
  await subscribe(original, "unconfirmed@example.com", null);
  await subscribe(original, "kim@example.com");
  await subscribe(copy, p.adminUser.email.toLowerCase());
  assert.equal(await voicesOf(original), 3);
});

test("a restored report takes its voice along", async () => {
  const [original, copy] = [await p.create(), await p.create()];
  await dismiss(copy, { report_id: original.id });
  const before = await read(original);
  assert.equal((await p.admin.post(`${p.of(copy)}/restore`)).status, 200);
  const after = await read(original);
  assert.deepEqual([before.voices, after.voices, after.duplicate_report_ids], [2, 1, []]);
  assert.ok(after.updated_at > before.updated_at);
});
