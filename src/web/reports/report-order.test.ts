import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { besideIndex, reorderBodyOf, withMoved } from "./report-order.ts";

const list = (...ids: number[]) => ids.map((id) => ({ id }) as Report);
const ids = (reports: readonly Report[]) => reports.map(({ id }) => id);

test("a report is put before or behind another, and everything else keeps its order", () => {
  const all = list(1, 2, 3, 4);
  assert.deepEqual(ids(withMoved(all, 4, { edge: "before", id: 2 })), [1, 4, 2, 3]);
  assert.deepEqual(ids(withMoved(all, 1, { edge: "after", id: 3 })), [2, 3, 1, 4]);
});

test("a move that changes nothing, or names a report that is gone, leaves the very list", () => {
  const all = list(1, 2, 3);
  assert.equal(withMoved(all, 2, { edge: "after", id: 1 }), all);
  assert.equal(withMoved(all, 2, { edge: "after", id: 9 }), all);
  assert.equal(withMoved(all, 9, { edge: "after", id: 1 }), all);
});

test("the place at an index is before who stands there among the others, at the end behind the last", () => {
  const shown = list(1, 2, 3);
  assert.deepEqual(besideIndex(shown, 3, 0), { edge: "before", id: 1 });
  assert.deepEqual(besideIndex(shown, 1, 1), { edge: "before", id: 3 });
  assert.deepEqual(besideIndex(shown, 1, 2), { edge: "after", id: 3 });
  assert.equal(besideIndex(list(1), 1, 0), undefined);
});

test("the server is told who precedes in the whole list, at the top who follows", () => {
  // 2 was dismissed: the queue shows 1, 3 and 4.
  const all = list(1, 2, 3, 4);
  const moved = withMoved(all, 4, { edge: "before", id: 3 });
  assert.deepEqual(ids(moved), [1, 2, 4, 3]);
  assert.deepEqual(reorderBodyOf(moved, 4), { report_id: 4, rank_before_id: 2 });
  assert.deepEqual(reorderBodyOf(withMoved(all, 4, { edge: "before", id: 1 }), 4), {
    report_id: 4,
    rank_after_id: 1,
  });
});
