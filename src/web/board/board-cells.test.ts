import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import { SINGLE_SWIM, cellsOf } from "./board-cells.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");
const lane = (id: number, kind: Lane["kind"]) => ({ id, kind, name: `Lane ${id}` }) as Lane;
const lanes = [lane(1, "todo"), lane(2, "done")];
const issue = (id: number, lane_id: number, fields: Partial<Issue> = {}) =>
  ({ id, lane_id, epic_id: null, assignee_id: null, closed_at: null, ...fields }) as Issue;
const plain = { grouping: undefined, showAllDone: false, now: NOW } as const;

test("each lane keeps the order of its cards", () => {
  const cells = cellsOf(lanes, [SINGLE_SWIM], [issue(3, 1), issue(1, 1)], plain);
  assert.deepEqual(
    cells.map(({ name, items }) => [name, items]),
    [
      ["Lane 1", ["3", "1"]],
      ["Lane 2", []],
    ],
  );
});

test("a done lane shows cards closed in the last 30 days and counts the others, unless all are shown", () => {
  const old = issue(1, 2, { closed_at: "2026-10-01T00:00:00Z" });
  const fresh = issue(2, 2, { closed_at: "2026-11-20T00:00:00Z" });
  const done = (showAllDone: boolean) =>
    cellsOf(lanes, [SINGLE_SWIM], [old, fresh], { ...plain, showAllDone })[1];
  assert.deepEqual([done(false)?.items, done(false)?.hidden], [["2"], 1]);
  assert.deepEqual([done(true)?.items, done(true)?.hidden], [["1", "2"], 0]);
});

test("a done lane shows only the latest 50 closed cards, in the order of the lane", () => {
  const closed = Array.from({ length: 60 }, (_, index) =>
    issue(index, 2, { closed_at: new Date(NOW - index * 1_000).toISOString() }),
  );
  const done = cellsOf(lanes, [SINGLE_SWIM], closed, plain)[1];
  assert.equal(done?.items.length, 50);
  assert.deepEqual([done?.items[0], done?.items.at(-1), done?.hidden], ["0", "49", 10]);
});

test("swim lanes group the cards by value, including none", () => {
  const swims = [
    { key: "7", id: 7, name: "Checkout" },
    { key: "none", id: null, name: "No epic" },
  ];
  const cells = cellsOf(lanes, swims, [issue(1, 1, { epic_id: 7 }), issue(2, 1)], {
    ...plain,
    grouping: "epic",
  });
  assert.deepEqual(
    cells.map(({ name, items }) => [name, items]),
    [
      ["Lane 1, Checkout", ["1"]],
      ["Lane 2, Checkout", []],
      ["Lane 1, No epic", ["2"]],
      ["Lane 2, No epic", []],
    ],
  );
});
