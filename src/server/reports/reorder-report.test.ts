import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { collide } from "../../../test/support/collide.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
/** Reports a, b, c … in queue order. */
let r: Record<"a" | "b" | "c" | "d" | "e", Report>;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
  r = {
    a: await p.create("a"),
    b: await p.create("b"),
    c: await p.create("c"),
    d: await p.create("d"),
    e: await p.create("e"),
  };
});

type Name = keyof typeof r;
const move = (name: Name, before?: Name | null, after?: Name | null) =>
  p.admin.post(`${p.reports}/reorder`, {
    report_id: r[name].id,
    ...(before === undefined ? {} : { rank_before_id: before && r[before].id }),
    ...(after === undefined ? {} : { rank_after_id: after && r[after].id }),
  });
const titles = (reports: Report[]) => reports.map((report) => report.title).join("");

test("a report moves beside its named neighbor, below the first of two neighbors, and to the top without any", async () => {
  const cases: [Parameters<typeof move>, string][] = [
    [["d"], "dabce"],
    [["d", null, null], "dabce"],
    [["a", "c"], "dbcae"],
    [["e", undefined, "b"], "debca"],
    [["e", null, "a"], "dbcea"],
    [["d", "a", null], "bcead"],
    [["b", "c", "e"], "cbead"],
    [["c", "b", "d"], "bcead"],
    [["d", "b", "a"], "bdcea"],
  ];
  for (const [args, order] of cases) {
    const answer = await move(...args);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(titles(answer.body), order, args.join(" "));
    assert.deepEqual(await p.list(), answer.body);
  }
});

test("a move changes only the rank and updated_at of the moved report", async () => {
  const before = await p.list();
  const answer = await move("e", "a");
  const moved = (answer.body as Report[]).find((report) => report.title === "e") as Report;
  assert.ok(moved.updated_at > r.e.updated_at);
  assert.notEqual(moved.rank, r.e.rank);
  assert.deepEqual({ ...moved, rank: r.e.rank, updated_at: r.e.updated_at }, r.e);
  assert.deepEqual(
    (answer.body as Report[]).filter((report) => report.title !== "e"),
    before.slice(0, 4),
  );
});

test("a report that is already in the position keeps its rank", async () => {
  const before = await p.list();
  for (const args of [["a"], ["b", "a"], ["b", null, "c"], ["b", "a", "e"], ["e", "d"]] as Parameters<
    typeof move
  >[])
    assert.deepEqual((await move(...args)).body, before);
});

test("dismissed and promoted reports keep their position and state", async () => {
  await p.admin.post(`${p.of(r.b)}/dismiss`, { category: "invalid" });
  await p.admin.post(`${p.reports}/promote`, { report_ids: [r.c.id], title: "Do it", description: "Now" });
  const [, b, c] = await p.list();
  assert.equal(titles((await move("b", "d")).body), "acdbe");
  const answer = await move("c", "a");
  const [, second, , fourth] = answer.body as Report[];
  assert.deepEqual(
    [second?.title, second?.promoted_at, second?.promoted_issue_id],
    ["c", c?.promoted_at, c?.promoted_issue_id],
  );
  assert.deepEqual(
    [fourth?.title, fourth?.dismissed_at, fourth?.dismiss_reason],
    ["b", b?.dismissed_at, "invalid"],
  );
});

test("a neighbor on the wrong side, or the report itself as a neighbor, returns 422 on that field", async () => {
  const before = await p.list();
  const cases: [Parameters<typeof move>, string][] = [
    [["e", "c", "b"], "rank_after_id"],
    [["e", "b", "b"], "rank_after_id"],
    [["b", "b"], "rank_before_id"],
    [["b", null, "b"], "rank_after_id"],
    [["b", "b", "c"], "rank_before_id"],
  ];
  for (const [args, field] of cases) {
    const answer = await move(...args);
    assert.equal(answer.status, 422, args.join(" "));
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
  }
  assert.deepEqual(await p.list(), before);
});

test("an id that is unknown, deleted or of another project returns 404 in each field", async () => {
  const other = await openReports(t);
  const foreign = await other.create();
  const gone = await p.create();
  await p.admin.delete(p.of(gone));
  const before = await p.list();
  for (const id of [foreign.id, gone.id, 999_999, Number.MAX_SAFE_INTEGER])
    for (const body of [
      { report_id: id },
      { report_id: r.a.id, rank_before_id: id },
      { report_id: r.a.id, rank_after_id: id },
      { report_id: id, rank_before_id: id },
    ]) {
      const answer = await p.admin.post(`${p.reports}/reorder`, body);
      assert.equal(answer.status, 404, JSON.stringify(body));
      assert.deepEqual(Object.keys(answer.body), ["message"]);
    }
  assert.deepEqual(await p.list(), before);
  assert.deepEqual(await other.list(), [foreign]);
});

test("moving a report while it is deleted returns 404", async () => {
  const [answer] = await collide(t.database, `delete from reports where id = ${r.c.id}`, async (waiting) => {
    const request = move("c", "e");
    await waiting(1);
    return [request];
  });
  assert.equal(answer?.status, 404, answer?.text);
  assert.equal(titles(await p.list()), "abde");
});

test("missing and malformed ids return 422 on their fields", async () => {
  const cases: [object, string[]][] = [
    [{}, ["report_id"]],
    [{ report_id: null }, ["report_id"]],
    [{ report_id: String(r.a.id) }, ["report_id"]],
    [
      { report_id: 1.5, rank_before_id: "x", rank_after_id: 0 },
      ["rank_after_id", "rank_before_id", "report_id"],
    ],
  ];
  for (const [body, fields] of cases) {
    const answer = await p.admin.post(`${p.reports}/reorder`, body);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors).sort(), fields);
  }
});
