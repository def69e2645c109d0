import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openBoard, type Board } from "../../../../test/support/board.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { moveIssue } from "./move-issue.ts";
import { renumberLongLanes } from "./renumber-lanes.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openBoard(t, workspace);
const move = (board: Board, id: number, body?: unknown) =>
  board.admin.post(`${board.issues}/${id}/move`, body);
const refusal = (answer: Answer) => [answer.status, ...Object.keys(answer.body.errors ?? {})];

/** A board whose second lane has issues a, b, c, d from top to bottom. */
async function four() {
  const board = await open();
  const { todo } = board.lanes;
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) ids.push((await board.make({ lane_id: todo })).id);
  const [a, b, c, d] = ids as [number, number, number, number];
  return { board, todo, a, b, c, d, order: () => board.order(todo) };
}

test("without neighbors an issue goes to the top of its own or the given lane", async () => {
  const { board, a, b, c, d, order } = await four();
  const answer = await move(board, c);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, await board.read(c));
  assert.deepEqual(await order(), [c, a, b, d]);
  await move(board, d, { lane_id: board.lanes.doing });
  await move(board, a, { lane_id: board.lanes.doing, rank_before_id: null });
  assert.deepEqual(await board.order(board.lanes.doing), [a, d]);
  assert.deepEqual(await order(), [c, b]);
});

test("the issue goes directly next to the given neighbor; the one above takes precedence over the one below", async () => {
  const { board, a, b, c, d, order } = await four();
  await move(board, a, { rank_before_id: c });
  assert.deepEqual(await order(), [b, c, a, d]);
  await move(board, d, { rank_after_id: c });
  assert.deepEqual(await order(), [b, d, c, a]);
  await move(board, a, { rank_before_id: b, rank_after_id: c });
  assert.deepEqual(await order(), [b, a, d, c]);
  await move(board, b, { rank_before_id: c });
  assert.deepEqual(await order(), [a, d, c, b]);
  await move(board, b, { rank_after_id: a });
  assert.deepEqual(await order(), [b, a, d, c]);
});

test("only the rank and updated_at of the moved issue change", async () => {
  const { board, a, b, c, d } = await four();
  const before = await Promise.all([a, b, d].map((id) => board.read(id)));
  const moved = await board.read(c);
  const { body } = await move(board, c, { rank_before_id: a });
  assert.deepEqual({ ...body, rank: moved.rank, updated_at: moved.updated_at }, moved);
  assert.notEqual(body.rank, moved.rank);
  assert.ok(body.updated_at > moved.updated_at);
  assert.deepEqual(await Promise.all([a, b, d].map((id) => board.read(id))), before);
});

test("moving an issue to its current position changes nothing", async () => {
  const { board, a, b, c } = await four();
  const issue = await board.read(b);
  for (const body of [{ rank_before_id: a }, { rank_after_id: c }, { rank_before_id: a, rank_after_id: c }])
    assert.deepEqual((await move(board, b, body)).body, issue);
  const top = await board.read(a);
  assert.deepEqual((await move(board, a, { lane_id: board.lanes.todo })).body, top);
});

test("a move to another lane is recorded in the history and closes or reopens the issue", async () => {
  const { board, a, todo } = await four();
  const closed = await move(board, a, { lane_id: board.lanes.done });
  assert.notEqual(closed.body.closed_at, null);
  assert.equal((await move(board, a, { lane_id: todo })).body.closed_at, null);
  await move(board, a, { rank_after_id: null });
  const { data } = (await board.admin.get(`${board.issues}/${a}/activity`)).body;
  assert.deepEqual(
    data.map(({ kind, from, to }: Record<string, unknown>) => [kind, from, to]),
    [
      ["created", null, null],
      ["lane_id", todo, board.lanes.done],
      ["lane_id", board.lanes.done, todo],
    ],
  );
});

test("an unknown neighbor is 404 with its field in the message, and an unknown lane is 422; so are those of another project", async () => {
  const { board, a, order } = await four();
  const other = await open();
  const foreign = await other.make();
  const before = await order();
  for (const id of [foreign.id, 999_999, Number.MAX_SAFE_INTEGER]) {
    for (const field of ["rank_before_id", "rank_after_id"]) {
      const { status, body } = await move(board, a, { [field]: id });
      assert.deepEqual([status, body.message], [404, `${field} is not an issue of the project.`]);
    }
  }
  for (const lane_id of [other.lanes.done, 999_999])
    assert.deepEqual(refusal(await move(board, a, { lane_id })), [422, "lane_id"]);
  assert.deepEqual(await order(), before);
});

test("neighbors on the wrong sides, neighbors in another lane, and the issue itself are 422 on their field", async () => {
  const { board, todo, a, b, c, order } = await four();
  const elsewhere = (await board.make({ lane_id: board.lanes.doing })).id;
  const before = await order();
  for (const [body, field] of [
    [{ rank_before_id: c, rank_after_id: b }, "rank_after_id"],
    [{ rank_before_id: c, rank_after_id: c }, "rank_after_id"],
    [{ rank_before_id: a }, "rank_before_id"],
    [{ rank_after_id: a }, "rank_after_id"],
    [{ rank_before_id: elsewhere }, "rank_before_id"],
    [{ rank_after_id: elsewhere }, "rank_after_id"],
    [{ rank_before_id: b, lane_id: board.lanes.doing }, "rank_before_id"],
    [{ rank_before_id: "1" }, "rank_before_id"],
    [{ rank_after_id: 0 }, "rank_after_id"],
    [{ lane_id: String(todo) }, "lane_id"],
  ] as const)
    assert.deepEqual(refusal(await move(board, a, body)), [422, field], JSON.stringify(body));
  assert.deepEqual(await order(), before);
});

test("forty concurrent moves all succeed and leave distinct ranks", async () => {
  const { board, todo, a, b, c, d } = await four();
  const ids = [a, b, c, d];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const id = ids[n % 4] as number;
      const beside = ids[(n + 1 + (n % 3)) % 4];
      return move(board, id, n % 2 === 0 ? { rank_before_id: beside } : { rank_after_id: beside });
    }),
  );
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const { data } = (await board.admin.get(`${board.issues}?lane_id=${todo}`)).body;
  assert.equal(new Set(data.map((issue: { rank: string }) => issue.rank)).size, 4);
});

test("two issues moved to the same position concurrently end up next to each other", async () => {
  const { board, a, b, c, d, order } = await four();
  const lock = `select from projects where id = ${board.id} for no key update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const first = move(board, c, { rank_before_id: a });
    await waiting(1);
    const second = move(board, d, { rank_before_id: a });
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200],
  );
  assert.deepEqual(await order(), [a, d, c, b]);
});

/** Gives a lane's first two issues ranks that exceed the size limit of index entries, with room for another between them. */
async function lengthen(a: number, b: number) {
  const long = `a1${"V".repeat(3_000)}`;
  await t.db.updateTable("issues").set({ rank: long }).where("id", "=", a).execute();
  await t.db
    .updateTable("issues")
    .set({ rank: `${long}V` })
    .where("id", "=", b)
    .execute();
}

test("hundreds of moves into the same gap work, even with ranks that exceed the size limit of index entries", async () => {
  const { board, a, b, c, d, todo, order } = await four();
  const ref = { id: board.id, workspace_id: workspace.id, key: board.key };
  await lengthen(a, b);
  // Two issues alternate below a, so the gap halves with each move.
  for (let n = 0; n < 500; n++)
    await moveIssue(t.db, ref, {
      issueId: n % 2 === 0 ? c : b,
      actorId: board.adminId,
      move: {
        lane_id: undefined,
        rank_before_id: a,
        rank_after_id: undefined,
      },
    });
  assert.deepEqual(await order(), [a, b, c, d]);
  for (const id of [a, b, c]) assert.ok((await board.read(id)).rank.length > 3_000);
  const url = `${board.issues}?lane_id=${todo}&sort=rank&limit=1`;
  const first = await board.admin.get(url);
  const second = await board.admin.get(`${url}&cursor=${first.body.meta.next_cursor}`);
  assert.equal(second.body.data[0].id, b);
});

test("a lane with long ranks is renumbered in the same order, and nothing else changes", async () => {
  const { board, a, b, c, d, order } = await four();
  await lengthen(a, b);
  await move(board, c, { rank_before_id: a });
  const [before, was] = [await order(), await board.read(c)];
  assert.deepEqual(before, [a, c, b, d]);
  assert.ok((await renumberLongLanes(t.db)) >= 1);
  assert.deepEqual(await order(), before);
  const { rank, ...rest } = await board.read(c);
  assert.ok(rank.length < 10, rank);
  assert.deepEqual({ ...rest, rank: was.rank }, was);
  assert.equal(await renumberLongLanes(t.db), 0);
  await move(board, a, { rank_before_id: d });
  assert.deepEqual(await order(), [c, b, d, a]);
});

/** One step of the model: move the n-th issue to a lane, next to the issues at these indexes. */
const step = fc.record({
  issue: fc.nat(),
  lane: fc.option(fc.nat(2), { nil: undefined }),
  above: fc.option(fc.nat(), { nil: undefined }),
  below: fc.option(fc.nat(), { nil: undefined }),
});

test("random moves have the same effect as on plain lists, and each changes one rank", async () => {
  const board = await open();
  const laneIds = [board.lanes.todo, board.lanes.doing, board.lanes.done];
  const lists: number[][] = [[], [], []];
  for (let n = 0; n < 12; n++) lists[n % 3]?.push((await board.make({ lane_id: laneIds[n % 3] })).id);
  const ranks = async () => {
    const rows = await t.db
      .selectFrom("issues")
      .select(["id", "lane_id", "rank"])
      .where("project_id", "=", board.id)
      .orderBy("rank")
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  };
  let before = await ranks();
  let moves = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
      for (const { issue, lane, above, below } of steps) {
        const all = lists.flat();
        const id = all[issue % all.length] as number;
        const from = lists.findIndex((list) => list.includes(id));
        const to = lane ?? from;
        const target = (lists[to] as number[]).filter((other) => other !== id);
        const at = (place: number | undefined) =>
          place === undefined || target.length === 0 ? undefined : place % target.length;
        const [upper, lower] = [at(above), at(below)];
        const answer = await move(board, id, {
          lane_id: lane === undefined ? undefined : laneIds[lane],
          rank_before_id: upper === undefined ? undefined : target[upper],
          rank_after_id: lower === undefined ? undefined : target[lower],
        });
        const after = await ranks();
        const changed = [...after.values()].filter(({ id, rank }) => before.get(id)?.rank !== rank);
        if (upper !== undefined && lower !== undefined && lower <= upper) {
          assert.equal(answer.status, 422);
          assert.deepEqual(changed, []);
          continue;
        }
        assert.equal(answer.status, 200, answer.text);
        assert.ok(changed.every((row) => row.id === id));
        lists[from] = (lists[from] as number[]).filter((other) => other !== id);
        target.splice(upper === undefined ? (lower ?? 0) : upper + 1, 0, id);
        lists[to] = target;
        for (const [n, list] of lists.entries())
          assert.deepEqual(
            [...after.values()].filter((row) => row.lane_id === laneIds[n]).map((row) => row.id),
            list,
          );
        before = after;
        moves++;
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
  assert.ok(moves > 750, `${moves} moves were made`);
});
