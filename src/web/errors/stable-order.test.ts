import assert from "node:assert/strict";
import { test } from "node:test";
import { inStableOrder, orderKey, orderOf, updateOrder, viewKeyOf } from "./stable-order.ts";

const groups = (...ids: number[]) => ids.map((id) => ({ id }));
const order = orderOf(groups(3, 2, 1), "open");

test("rows keep their order; missing groups are left out and new ones are counted", () => {
  const { rows, newCount } = inStableOrder(groups(9, 1, 3), order.ids);
  assert.deepEqual(rows, groups(3, 1));
  assert.equal(newCount, 1);
});

test("groups that arrive above or between the rows do not change the order", () => {
  assert.equal(updateOrder(order, groups(9, 3, 8, 2, 1), "open"), order);
});

test("groups after the last row, such as the next page, are added to the end", () => {
  assert.deepEqual(updateOrder(order, groups(9, 3, 8, 1, 7, 6), "open").ids, [3, 2, 1, 7, 6]);
});

test("a group that is missing for a while returns to its place", () => {
  const next = updateOrder(order, groups(3, 1, 7), "open");
  assert.deepEqual(inStableOrder(groups(2, 3, 1, 7), next.ids).rows, groups(3, 2, 1, 7));
});

test("if none of the rows is left, the groups that arrived count as new", () => {
  const next = updateOrder(order, groups(9, 8), "open");
  assert.equal(next, order);
  assert.deepEqual(inStableOrder(groups(9, 8), next.ids), { rows: [], newCount: 2 });
});

test("another view takes the order of its groups", () => {
  assert.deepEqual(updateOrder(order, groups(1, 9, 3), "resolved"), { key: "resolved", ids: [1, 9, 3] });
});

test("a view is identified by every parameter that selects or sorts its groups", () => {
  assert.notEqual(viewKeyOf({ release: "1.0" }), viewKeyOf({ first_release: "1.0" }));
  assert.notEqual(viewKeyOf({}), viewKeyOf({ direction: "asc" }));
});

test("an empty parameter is the same as none", () => {
  assert.equal(viewKeyOf({ query: "" }), viewKeyOf({}));
});

const loaded = { isPending: false, isPlaceholderData: false, isFetchedAfterMount: false };

test("the order is taken when the first groups of a view arrive", () => {
  assert.notEqual(orderKey("open", { ...loaded, isPending: true }, true), orderKey("open", loaded, true));
});

test("the order is taken when the groups of a view replace those of the previous one", () => {
  const previous = { ...loaded, isPlaceholderData: true };
  assert.notEqual(orderKey("open", previous, false), orderKey("open", loaded, false));
});

test("a response reorders cached groups that were stale when the view opened", () => {
  const fetched = { ...loaded, isFetchedAfterMount: true };
  assert.notEqual(orderKey("open", loaded, true), orderKey("open", fetched, true));
});

test("a response does not reorder groups that were fresh when the view opened", () => {
  const fetched = { ...loaded, isFetchedAfterMount: true };
  assert.equal(orderKey("open", loaded, false), orderKey("open", fetched, false));
});
