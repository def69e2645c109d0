import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { collide } from "../../../../test/support/collide.ts";
import { openReports, type ReportProject } from "../../../../test/support/reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

const dismiss = (report: { id: number }, body: object) => p.admin.post(`${p.of(report)}/dismiss`, body);
const promote = (...ids: number[]) =>
  p.admin.post(`${p.reports}/promote`, { report_ids: ids, title: "Do it", description: "Now" });

test("a dismissal records the time, the reason and the note", async () => {
  const report = await p.create();
  const answer = await dismiss(report, { category: "already-shipped", note: "In 2.1" });
  assert.equal(answer.status, 200);
  const { dismissed_at, updated_at, ...rest } = answer.body;
  assert.match(dismissed_at, /\.\d{6}Z$/);
  assert.ok(updated_at > report.updated_at);
  const { dismissed_at: _, updated_at: __, ...before } = report;
  assert.deepEqual(rest, { ...before, dismiss_reason: "already-shipped", dismiss_reason_note: "In 2.1" });
  assert.deepEqual((await p.admin.get(p.of(report))).body, answer.body);
});

test("every reason is accepted, and the note is optional: a blank one reads null", async () => {
  for (const category of ["not-planned", "duplicate", "already-shipped", "invalid"])
    for (const note of [undefined, null, "", " \n"]) {
      const body = { category, note };
      const { dismiss_reason, dismiss_reason_note } = (await dismiss(await p.create(), body)).body;
      assert.deepEqual([dismiss_reason, dismiss_reason_note], [category, null]);
    }
});

test("a second dismissal returns 422 on category and keeps the original reason", async () => {
  const report = await p.create();
  const first = await dismiss(report, { category: "duplicate", note: "Of 5" });
  for (const category of ["duplicate", "invalid"]) {
    const second = await dismiss(report, { category, note: "Other" });
    assert.equal(second.status, 422);
    assert.deepEqual(Object.keys(second.body.errors), ["category"]);
  }
  assert.deepEqual((await p.admin.get(p.of(report))).body, first.body);
});

test("a promoted report cannot be dismissed", async () => {
  const report = await p.create();
  const [promoted] = (await promote(report.id)).body;
  const answer = await dismiss(report, { category: "invalid" });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.body.errors), ["category"]);
  assert.deepEqual((await p.admin.get(p.of(report))).body, promoted);
});

test("an unknown reason and a note that is too long return 422 on their fields", async () => {
  const report = await p.create();
  const cases: [object, string[]][] = [
    [{}, ["category"]],
    [{ category: "spam" }, ["category"]],
    [{ category: 1, note: 5 }, ["category", "note"]],
    [{ category: "invalid", note: "x".repeat(10_001) }, ["note"]],
    [{ category: "invalid", note: "a\0b" }, ["note"]],
  ];
  for (const [body, fields] of cases) {
    const answer = await dismiss(report, body);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors).sort(), fields);
  }
  assert.deepEqual(await p.list(), [report]);
  assert.equal((await dismiss(report, { category: "invalid", note: "😀".repeat(10_000) })).status, 200);
});

test("of eight concurrent dismissals one wins, and its reason is recorded", async () => {
  const report = await p.create();
  const answers = await collide(
    t.database,
    `select from reports where id = ${report.id} for update`,
    async (waiting) => {
      const requests = Array.from({ length: 8 }, (_, n) =>
        dismiss(report, { category: "invalid", note: `Note ${n}` }),
      );
      await waiting(8);
      return requests;
    },
  );
  const won = answers.filter((answer) => answer.status === 200);
  assert.equal(won.length, 1);
  assert.equal(answers.filter((answer) => answer.status === 422).length, 7);
  assert.deepEqual((await p.admin.get(p.of(report))).body, won[0]?.body);
});

test("if a promotion and a dismissal race, the first one wins", async () => {
  for (const first of ["promote", "dismiss"]) {
    const report = await p.create();
    const answers = await collide(
      t.database,
      `select from reports where id = ${report.id} for update`,
      async (waiting) => {
        const send = {
          promote: () => promote(report.id),
          dismiss: () => dismiss(report, { category: "invalid" }),
        };
        const order = first === "promote" ? [send.promote, send.dismiss] : [send.dismiss, send.promote];
        const requests = [];
        for (const [n, start] of order.entries()) {
          requests.push(start());
          await waiting(n + 1);
        }
        return requests;
      },
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 422],
    );
    const { promoted_at, dismissed_at } = (await p.admin.get(p.of(report))).body;
    assert.equal(first === "promote", promoted_at !== null);
    assert.equal(first === "dismiss", dismissed_at !== null);
  }
});
