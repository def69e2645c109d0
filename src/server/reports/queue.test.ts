import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Report } from "../../shared/reports.ts";
import type { Answer } from "../../../test/support/client.ts";
import { collide } from "../../../test/support/collide.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { renumberLongQueues } from "./queue.ts";
import { reorderReports, type Move } from "./reorder-report.ts";
import { createReport, creatorOf } from "./create-report.ts";
import { deleteReport } from "./delete-report.ts";

let p: ReportProject;
const t = await useTestApp();
beforeEach(async () => {
  p = await openReports(t);
});

/** Pseudorandom numbers, the same in every run (the linear congruential generator of Numerical Recipes). */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Applies a move to a plain list of ids; undefined if the rules reject the move. */
function moved(queue: number[], { report_id, rank_before_id, rank_after_id }: Move): number[] | undefined {
  if (rank_before_id === report_id || rank_after_id === report_id) return undefined;
  const rest = queue.filter((id) => id !== report_id);
  const [before, after] = [rank_before_id, rank_after_id].map((id) =>
    id === undefined ? -1 : rest.indexOf(id),
  ) as [number, number];
  if (before >= 0 && after >= 0 && after <= before) return undefined;
  const place = before >= 0 ? before + 1 : after >= 0 ? after : 0;
  return rest.toSpliced(place, 0, report_id);
}

const idsOf = (reports: Report[]) => reports.map((report) => report.id);
const withoutRank = (report: Report) => ({ ...report, rank: undefined });
const aReport = { title: "x", description: "y", author_name: undefined };
const make = async (count: number) => {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push((await p.create()).id);
  return ids;
};

test("after thousands of moves, inserts and deletes the queue equals a plain list", async () => {
  const random = numbers(7);
  const caller = {
    kind: "personal",
    key: "",
    user_id: p.adminUser.id,
    token_id: 0,
    write: true,
    scope: null,
  } as const;
  let model = await make(8);
  let refusals = 0;
  for (let step = 0; step < 2_000; step++) {
    const any = () => model[random(model.length)] as number;
    const dice = random(20);
    if (dice === 0 && model.length < 30) {
      model.push((await createReport(t.db, p.id, { creator: creatorOf(caller), body: aReport })).id);
    } else if (dice === 1 && model.length > 4) {
      const id = any();
      await deleteReport(t.db, p.id, id);
      model = model.filter((other) => other !== id);
    } else {
      const move: Move = {
        report_id: any(),
        rank_before_id: random(3) ? any() : undefined,
        rank_after_id: random(3) ? any() : undefined,
      };
      const expected = moved(model, move);
      if (expected === undefined) {
        refusals++;
        await assert.rejects(reorderReports(t.db, p.id, move), { status: 422 });
        continue;
      }
      model = expected;
      assert.deepEqual(idsOf(await reorderReports(t.db, p.id, move)), model, JSON.stringify(move));
    }
  }
  assert.deepEqual(await p.ids(), model);
  assert.ok(refusals > 100 && refusals < 1_500);
});

/** Replays the moves in the order of their times, and checks that each response is one of the resulting states. */
function assertOneAfterTheOther(
  start: number[],
  moves: Move[],
  answers: Report[][],
  before: Map<number, string>,
) {
  const happened = moves
    .map((move, n) => {
      const at = answers[n]?.find((report) => report.id === move.report_id)?.updated_at ?? "";
      return { move, answer: idsOf(answers[n] ?? []), at, changed: at !== before.get(move.report_id) };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const states = [start];
  for (const { move, answer, changed } of happened) {
    if (!changed) continue;
    const next = moved(states.at(-1) as number[], move) as number[];
    assert.deepEqual(answer, next, JSON.stringify(move));
    states.push(next);
  }
  const known = new Set(states.map(String));
  for (const { answer, changed } of happened) assert.ok(changed || known.has(String(answer)));
  return states.at(-1);
}

test("concurrent moves are serialized, and each returns the order it produced", async () => {
  const random = numbers(11);
  await make(16);
  for (let round = 0; round < 8; round++) {
    const list = await p.list();
    const ids = idsOf(list);
    const moves: Move[] = ids.slice(0, 12).map((report_id, n) => ({
      report_id,
      rank_before_id: n % 3 === 0 ? undefined : ids[(random(15) + n + 1) % 16],
      rank_after_id: undefined,
    }));
    const sent = moves.filter((move) => move.rank_before_id !== move.report_id);
    const answers = await collide(
      t.database,
      `select pg_advisory_xact_lock(hashtextextended('report queue ${p.id}', 0))`,
      async (waiting) => {
        const requests = sent.map((move) => p.admin.post(`${p.reports}/reorder`, move));
        await waiting(8);
        return requests;
      },
    );
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    const last = assertOneAfterTheOther(
      ids,
      sent,
      answers.map((answer) => answer.body),
      new Map(list.map((report) => [report.id, report.updated_at])),
    );
    assert.deepEqual(await p.ids(), last);
    assert.equal(new Set((await p.list()).map((report) => report.rank)).size, 16);
  }
});

test("concurrent moves, inserts and deletes fail only for deleted reports and leave unique ranks", async () => {
  const ids = await make(20);
  const reorder = (body: object) => p.admin.post(`${p.reports}/reorder`, body);
  const requests = [
    ...ids.slice(0, 15).map((id) => () => reorder({ report_id: id, rank_before_id: ids[19] })),
    ...ids.slice(0, 10).map((id) => () => reorder({ report_id: id })),
    ...Array.from({ length: 10 }, () => () => p.token.post(p.reports, { title: "New", description: "Now" })),
    ...ids.slice(15, 18).map((id) => () => p.admin.delete(`${p.reports}/${id}`)),
    ...ids.slice(15, 18).map((id) => () => reorder({ report_id: id, rank_after_id: ids[0] })),
  ];
  const answers: Answer[] = [];
  // All kinds at the same time, and no more requests than connections, for which they would wait four seconds at most.
  const mixed = requests.map((_, n) => (n * 16) % requests.length).values();
  const sendMixed = async () => {
    for (const n of mixed) answers[n] = (await requests[n]?.()) as Answer;
  };
  await Promise.all(Array.from({ length: 10 }, sendMixed));
  assert.ok(answers.slice(0, 25).every((answer) => answer.status === 200));
  assert.ok(answers.slice(25, 35).every((answer) => answer.status === 201));
  assert.ok(answers.slice(35, 38).every((answer) => answer.status === 204));
  assert.ok(answers.slice(38).every((answer) => [200, 404].includes(answer.status)));
  const ranks = (await p.list()).map((report) => report.rank);
  assert.equal(ranks.length, 27);
  assert.equal(new Set(ranks).size, 27);
});

test("a hundred moves into the same gap work, even if ranks share a long prefix", async () => {
  const [a, b, c, d] = (await make(4)) as [number, number, number, number];
  const deep = `a0${"V".repeat(3_000)}`;
  await sql`update reports set rank = ${`${deep}1`} where id = ${b}`.execute(t.db);
  await sql`update reports set rank = ${`${deep}2`} where id = ${c}`.execute(t.db);
  let model = [a, b, c, d];
  for (let n = 0; n < 100; n++) {
    const move = { report_id: n % 2 ? a : d, rank_before_id: b, rank_after_id: c };
    model = moved(model, move) as number[];
    assert.deepEqual(idsOf(await reorderReports(t.db, p.id, move)), model);
  }
});

test("only queues with long ranks are renumbered, and their order stays the same", async () => {
  await renumberLongQueues(t.db);
  const ids = await make(12);
  const other = await openReports(t);
  await other.create();
  const untouched = await other.list();
  for (const [n, id] of ids.entries())
    await sql`update reports set rank = ${`a1${"z".repeat(400 * n)}V`} where id = ${id}`.execute(t.db);
  await reorderReports(t.db, p.id, {
    report_id: ids[11] as number,
    rank_before_id: ids[4],
    rank_after_id: undefined,
  });
  const before = await p.list();
  assert.equal(await renumberLongQueues(t.db), 1);
  const now = await p.list();
  assert.deepEqual(now.map(withoutRank), before.map(withoutRank));
  const oldest = before
    .map((report) => report.rank)
    .sort()
    .at(-1) as string;
  for (const { rank } of now) assert.ok(rank.length < 10 && rank > oldest, rank);
  assert.deepEqual(await other.list(), untouched);
  assert.equal(await renumberLongQueues(t.db), 0);
});

test("moves during a renumbering succeed, and ranks stay unique", async () => {
  const ids = await make(10);
  await sql`update reports set rank = ${`a0${"V".repeat(300)}`} where id = ${ids[1]}`.execute(t.db);
  const last = ids[9];
  const answers = await Promise.all([
    renumberLongQueues(t.db).then(() => 200),
    ...ids.slice(0, 8).map(async (id) => {
      const move = { report_id: id, rank_before_id: last };
      return (await p.admin.post(`${p.reports}/reorder`, move)).status;
    }),
    renumberLongQueues(t.db).then(() => 200),
  ]);
  assert.ok(answers.every((status) => status === 200));
  const list = await p.list();
  assert.deepEqual(idsOf(list).slice(0, 2), [ids[8], last]);
  assert.equal(new Set(list.map((report) => report.rank)).size, 10);
});
