import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../../shared/reports.ts";
import { targetAt, reorderBodyOf, withMoved } from "./move-report.ts";

const list = (...ids: number[]) => ids.map((id) => ({ id }) as Report);
const ids = (reports: readonly Report[]) => reports.map(({ id }) => id);

test("a report moves before or after another, and the others keep their order", () => {
  const all = list(1, 2, 3, 4);
  assert.deepEqual(ids(withMoved(all, 4, { edge: "before", id: 2 })), [1, 4, 2, 3]);
  assert.deepEqual(ids(withMoved(all, 1, { edge: "after", id: 3 })), [2, 3, 1, 4]);
});

test("a move that changes nothing, or names a missing report, returns the same list", () => {
  const all = list(1, 2, 3);
  assert.equal(withMoved(all, 2, { edge: "after", id: 1 }), all);
  assert.equal(withMoved(all, 2, { edge: "after", id: 9 }), all);
  assert.equal(withMoved(all, 9, { edge: "after", id: 1 }), all);
});

test("the target of an index is before the report there, or after the last one at the end", () => {
  const shown = list(1, 2, 3);
  assert.deepEqual(targetAt(shown, 3, 0), { edge: "before", id: 1 });
  assert.deepEqual(targetAt(shown, 1, 1), { edge: "before", id: 3 });
  assert.deepEqual(targetAt(shown, 1, 2), { edge: "after", id: 3 });
  assert.equal(targetAt(list(1), 1, 0), undefined);
});

test("the request names the report before it in the whole list, or at the top the one after it", () => {
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
