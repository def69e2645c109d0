import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { collide } from "../../../test/support/collide.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const dismiss = (report: { id: number }, body: object = { category: "invalid" }) =>
  p.admin.post(`${p.of(report)}/dismiss`, body);
const restore = (report: { id: number }) => p.admin.post(`${p.of(report)}/restore`);
const promote = (...ids: number[]) =>
  p.admin.post(`${p.reports}/promote`, { report_ids: ids, title: "Do it", description: "Now" });

test("a restored report returns to its place in the queue and keeps its dismissal in its history", async () => {
  const [first, second] = [await p.create("First"), await p.create("Second")];
  const dismissed = await dismiss(first, {
    category: "duplicate",
    note: "Seen before",
    duplicate_of: { report_id: second.id },
  });
  const answer = await restore(first);
  assert.equal(answer.status, 200, answer.text);
  const { updated_at, earlier_dismissals, ...rest } = answer.body;
  const { updated_at: _at, earlier_dismissals: none, ...before } = first;
  assert.deepEqual(rest, before);
  assert.deepEqual(none, []);
  assert.ok(updated_at > dismissed.body.updated_at);
  const [{ restored_at, ...earlier }] = earlier_dismissals;
  assert.ok(restored_at > dismissed.body.dismissed_at);
  assert.deepEqual(earlier, {
    dismissed_at: dismissed.body.dismissed_at,
    dismiss_reason: "duplicate",
    dismiss_reason_note: "Seen before",
    duplicate_of: { report_id: second.id, issue_id: null },
    restored_by: p.adminUser.id,
  });
  assert.deepEqual(
    (await p.list("active")).map(({ id }) => id),
    [first.id, second.id],
  );
});

test("the history has the latest ten dismissals, the latest first, and the report can be promoted", async () => {
  const report = await p.create();
  for (let n = 1; n <= 11; n++) {
    assert.equal((await dismiss(report, { category: "invalid", note: `Note ${n}` })).status, 200);
    assert.equal((await restore(report)).status, 200);
  }
  const { earlier_dismissals } = (await p.admin.get(p.of(report))).body;
  assert.deepEqual(
    earlier_dismissals.map((earlier: { dismiss_reason_note: string }) => earlier.dismiss_reason_note),
    Array.from({ length: 10 }, (_, index) => `Note ${11 - index}`),
  );
  assert.equal((await promote(report.id)).status, 200);
});

test("an active or promoted report cannot be restored, and an unknown one returns 404", async () => {
  const [active, promoted] = [await p.create(), await p.create()];
  await promote(promoted.id);
  const before = await p.list();
  for (const report of [active, promoted]) {
    const answer = await restore(report);
    assert.deepEqual([answer.status, answer.body.message], [422, "The report is not dismissed."]);
  }
  assert.equal((await restore({ id: 999_999 })).status, 404);
  assert.deepEqual(await p.list(), before);
});

test("if two restores race, one wins, and the dismissal is in the history once", async () => {
  const report = await p.create();
  await dismiss(report);
  const answers = await collide(
    t.database,
    `select from reports where id = ${report.id} for update`,
    async (waiting) => {
      const requests = [restore(report), restore(report)];
      await waiting(2);
      return requests;
    },
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
  assert.equal((await p.admin.get(p.of(report))).body.earlier_dismissals.length, 1);
});

test("if a restore and a promotion race, the report is promoted only after the restore", async () => {
  for (const first of ["restore", "promote"] as const) {
    const report = await p.create();
    await dismiss(report);
    const send = { restore: () => restore(report), promote: () => promote(report.id) };
    const order = first === "restore" ? [send.restore, send.promote] : [send.promote, send.restore];
    const answers = await collide(
      t.database,
      `select from reports where id = ${report.id} for update`,
      async (waiting) => {
        const requests = [];
        for (const [n, start] of order.entries()) {
          requests.push(start());
          await waiting(n + 1);
        }
        return requests;
      },
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      first === "restore" ? [200, 200] : [422, 200],
    );
    const { promoted_at, dismissed_at } = (await p.admin.get(p.of(report))).body;
    assert.deepEqual([promoted_at !== null, dismissed_at], [first === "restore", null]);
  }
});
