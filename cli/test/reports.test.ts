import assert from "node:assert/strict";
import { test } from "node:test";
import { useSignedIn } from "./support/signed-in.ts";

const s = await useSignedIn();
const { sbx, json } = s;

async function makeReport(title = "The cart is empty", description = "After a reload"): Promise<string> {
  const { body } = await s.board.admin.post(`${s.board.url}/reports`, { title, description });
  return String(body.id);
}

test("reports are listed in the order of the queue, page by page", async () => {
  for (let n = 0; n < 103; n++) await makeReport();
  const reports = await json(["reports", "--limit", "all"]);
  assert.deepEqual(reports, (await s.board.admin.get(`${s.board.url}/reports`)).body);
  assert.match((await sbx(["reports"])).stdout, /^\d+\tactive\t1\t\S+\tThe cart is empty\n/);
});

test("a report is shown without control sequences", async () => {
  const id = await makeReport("Title", "Line\u001b[2J one\nLine two");
  const { code, stdout } = await sbx(["report", id]);
  assert.equal(code, 0);
  assert.match(stdout, /^Title\nid: \d+\nstate: active\n/);
  assert.match(stdout, /\n\nLine one\nLine two\n$/);
});

test("report dismiss needs a known reason", async () => {
  const id = await makeReport();
  assert.deepEqual((await sbx(["report", "dismiss", id])).code, 2);
  assert.equal((await sbx(["report", "dismiss", id, "--reason", "boring"])).code, 2);
  const report = await json(["report", "dismiss", id, "--reason", "invalid", "--note", "A test"]);
  assert.deepEqual([report.dismiss_reason, report.dismiss_reason_note], ["invalid", "A test"]);
  const again = await sbx(["report", "dismiss", id, "--reason", "duplicate"]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^sbx: --reason /);
  assert.equal((await json(["reports"])).length, 0);
  assert.equal((await json(["reports", "--view", "dismissed"])).length, 1);
});

test("report promote creates an issue with the text of the report", async () => {
  const id = await makeReport();
  const report = await json(["report", "promote", id, "--title", "Keep the cart"]);
  const issue = await s.board.read(report.promoted_issue_id);
  assert.deepEqual([issue.title, issue.description], ["Keep the cart", "After a reload"]);
});

test("report promote adds a report to an issue that exists", async () => {
  const issue = await s.board.make();
  const report = await json(["report", "promote", await makeReport(), "--issue", issue.key]);
  assert.equal(report.promoted_issue_id, issue.id);
});

test("an unknown report is exit code 4", async () => {
  assert.equal((await sbx(["report", "999999999"])).code, 4);
  assert.equal((await sbx(["report", "first"])).code, 2);
});
