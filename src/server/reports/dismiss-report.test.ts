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

test("every reason is accepted, and the note is optional: a blank one becomes null", async () => {
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

test("if eight dismissals race, one wins, and its reason is recorded", async () => {
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

const duplicate = (report: { id: number }, duplicate_of: object) =>
  dismiss(report, { category: "duplicate", duplicate_of });

test("a duplicate names the report or the issue it duplicates, until that is deleted", async () => {
  const [original, first, second] = [await p.create(), await p.create(), await p.create()];
  const issue = (await p.admin.post(`/api/projects/${p.id}/issues`, { title: "Known" })).body;
  const ofReport = await duplicate(first, { report_id: original.id });
  assert.equal(ofReport.status, 200, ofReport.text);
  assert.deepEqual(ofReport.body.duplicate_of, { report_id: original.id, issue_id: null });
  assert.deepEqual((await duplicate(second, { issue_id: issue.id })).body.duplicate_of, {
    report_id: null,
    issue_id: issue.id,
  });
  await p.admin.delete(p.of(original));
  await p.admin.delete(`/api/projects/${p.id}/issues/${issue.id}`);
  for (const report of [first, second]) {
    const { dismiss_reason, duplicate_of } = (await p.admin.get(p.of(report))).body;
    assert.deepEqual([dismiss_reason, duplicate_of], ["duplicate", null]);
  }
});

test("an original outside the project, the report itself and a duplicate of it return 422 and change nothing", async () => {
  const report = await p.create();
  const other = await openReports(t);
  const foreign = await other.create();
  const foreignIssue = (await other.admin.post(`/api/projects/${other.id}/issues`, { title: "Theirs" })).body;
  const [middle, last] = [await p.create(), await p.create()];
  await duplicate(middle, { report_id: report.id });
  await duplicate(last, { report_id: middle.id });
  const before = (await p.admin.get(p.of(report))).body;
  const cases: [object, string][] = [
    [{ report_id: foreign.id }, "duplicate_of"],
    [{ report_id: 999_999 }, "duplicate_of"],
    [{ report_id: report.id }, "duplicate_of"],
    [{ report_id: middle.id }, "duplicate_of"],
    [{ report_id: last.id }, "duplicate_of"],
    [{ issue_id: foreignIssue.id }, "duplicate_of"],
    [{ issue_id: "1" }, "duplicate_of.issue_id"],
    [{ issue_id: 1, report_id: middle.id }, "duplicate_of"],
    [{}, "duplicate_of"],
  ];
  for (const [duplicate_of, field] of cases) {
    const answer = await duplicate(report, duplicate_of);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
  }
  const invalid = await dismiss(report, { category: "invalid", duplicate_of: { report_id: middle.id } });
  assert.deepEqual([invalid.status, Object.keys(invalid.body.errors)], [422, ["duplicate_of"]]);
  assert.deepEqual((await p.admin.get(p.of(report))).body, before);
});

test("an issue can only be named as the original by users who may read issues", async () => {
  const report = await p.create();
  const issue = (await p.admin.post(`/api/projects/${p.id}/issues`, { title: "Secret" })).body;
  const { client } = await p.member({ permissions: ["reports:update"] });
  const body = { category: "duplicate", duplicate_of: { issue_id: issue.id } };
  const answer = await client.post(`${p.of(report)}/dismiss`, body);
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["duplicate_of"]]);
});

test("if two reports are dismissed as duplicates of each other at the same time, one wins", async () => {
  const [one, two] = [await p.create(), await p.create()];
  const answers = await collide(
    t.database,
    `select from reports where id in (${one.id}, ${two.id}) for update`,
    async (waiting) => {
      const requests = [duplicate(one, { report_id: two.id }), duplicate(two, { report_id: one.id })];
      await waiting(2);
      return requests;
    },
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
});

test("if three reports are dismissed as duplicates of each other at the same time, no circle is closed", async () => {
  const reports = [await p.create(), await p.create(), await p.create()];
  const answers = await collide(
    t.database,
    `select from reports where id in (${reports.map(({ id }) => id).join(", ")}) for update`,
    async (waiting) => {
      const requests = reports.map((report, n) =>
        duplicate(report, { report_id: reports[(n + 1) % reports.length]?.id }),
      );
      await waiting(3);
      return requests;
    },
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 422]);
  const originals = await Promise.all(
    reports.map(async (report) => (await p.admin.get(p.of(report))).body.duplicate_of?.report_id),
  );
  assert.equal(originals.filter((id) => id === undefined).length, 1, "one of them is the original");
});
