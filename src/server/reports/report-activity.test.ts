import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportActivity } from "../../shared/report-activity.ts";
import { openReports } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();
const p = await openReports(t);

test("a report's history has everything that happened to it, oldest first, in pages", async () => {
  const [report, other] = [await p.create(), await p.create()];
  const send = async (action: string, body?: object) => {
    const answer = await p.admin.post(`${p.of(report)}/${action}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  await send("dismiss", { category: "duplicate", note: "Again", duplicate_of: { report_id: other.id } });
  await send("restore");
  const promoted = await p.admin.post(`${p.reports}/promote`, {
    report_ids: [report.id],
    title: "New",
    description: "New",
  });
  const issueId = promoted.body[0].promoted_issue_id;
  await send("unpromote");
  await p.admin.post(`${p.reports}/link`, { report_ids: [report.id], issue: issueId });

  const path = `${p.of(report)}/activity`;
  const { data } = (await p.admin.get(path)).body as { data: ReportActivity[] };
  const original = { report_id: other.id, issue_id: null };
  assert.deepEqual(
    data.map(({ kind, from, to }) => [kind, from, to]),
    [
      ["created", null, null],
      ["dismissed", null, { reason: "duplicate", note: "Again", duplicate_of: original }],
      ["restored", null, null],
      ["promoted", null, issueId],
      ["unpromoted", issueId, null],
      ["promoted", null, issueId],
    ],
  );
  assert.deepEqual([...new Set(data.map(({ actor_id }) => actor_id))], [p.adminUser.id]);
  const page = (await p.admin.get(`${path}?limit=2`)).body;
  const next = (await p.admin.get(`${path}?limit=2&cursor=${page.meta.next_cursor}`)).body;
  assert.deepEqual([...page.data, ...next.data], data.slice(0, 4));
});

test("a report from another system was created by nobody", async () => {
  const { data } = (await p.admin.get(`${p.of(await p.create("Theirs", p.token))}/activity`)).body;
  assert.deepEqual([data[0].kind, data[0].actor_id], ["created", null]);
});

test("the history of an unknown report returns 404", async () => {
  assert.equal((await p.admin.get(`${p.of({ id: 999_999 })}/activity`)).status, 404);
});
