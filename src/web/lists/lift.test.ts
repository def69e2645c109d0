import assert from "node:assert/strict";
import { test } from "node:test";
import { indexAtEdge, type Lifted, type Lists, neighborsAt, pressed, previewOf } from "./lift.ts";

const queue: Lists = [{ id: "queue", name: "Queue", items: ["a", "b", "c"] }];
const board: Lists = [
  { id: "todo", name: "To do", items: ["a", "b", "c"] },
  { id: "doing", name: "In progress", items: ["d"] },
  { id: "done", name: "Done", items: [] },
];

/** The result of pressing `keys` on `id`. */
function run(lists: Lists, id: string, keys: string[]) {
  let lifted: Lifted | null = null;
  let last = pressed(null, "", id, lists);
  for (const key of keys) {
    last = pressed(lifted, key, id, lists);
    lifted = last.lifted;
  }
  return last;
}

test("Space lifts an item, an arrow moves it, and Space drops it at the new position", () => {
  const step = run(queue, "a", [" ", "ArrowDown", " "]);
  assert.deepEqual(step.move, { id: "a", to: { list: "queue", index: 1 } });
  assert.equal(step.lifted, null);
  assert.equal(step.say, "Dropped at position 2 of 3.");
});

test("an item stops at the top and at the bottom", () => {
  assert.deepEqual(run(queue, "a", [" ", "ArrowDown", "ArrowDown", "ArrowDown", " "]).move?.to, {
    list: "queue",
    index: 2,
  });
  assert.deepEqual(run(queue, "b", [" ", "ArrowUp", "ArrowUp", " "]).move?.to, { list: "queue", index: 0 });
  assert.equal(run(queue, "c", [" ", "ArrowDown"]).say, undefined);
});

test("Home and End move an item to the ends", () => {
  assert.equal(run(queue, "c", [" ", "Home", " "]).move?.to.index, 0);
  assert.equal(run(queue, "a", [" ", "End", " "]).move?.to.index, 2);
});

test("an item dropped where it was does not move", () => {
  assert.equal(run(queue, "b", [" ", "ArrowDown", "ArrowUp", " "]).move, undefined);
});

test("Escape cancels the move", () => {
  const step = run(queue, "a", [" ", "ArrowDown", "Escape"]);
  assert.equal(step.move, undefined);
  assert.equal(step.lifted, null);
  assert.equal(step.say, "Move canceled. Back at position 1 of 3.");
});

test("left and right move an item between lists, to an existing position", () => {
  assert.deepEqual(run(board, "c", [" ", "ArrowRight", " "]).move?.to, { list: "doing", index: 1 });
  assert.deepEqual(run(board, "c", [" ", "ArrowRight", "ArrowRight", " "]).move?.to, {
    list: "done",
    index: 0,
  });
  assert.deepEqual(run(board, "d", [" ", "ArrowRight", "ArrowRight", "ArrowLeft"]).lifted?.at, {
    list: "doing",
    index: 0,
  });
  assert.equal(run(board, "c", [" ", "ArrowRight"]).say, "Position 2 of 2 in In progress.");
});

test("before an item is lifted, only Space is handled", () => {
  for (const key of ["ArrowDown", "Escape", "Home", "Enter", "x"])
    assert.equal(pressed(null, key, "a", queue).handled, false, key);
  assert.equal(pressed(null, " ", "gone", queue).handled, false);
});

test("while an item is lifted, other keys are not handled, except that Tab is blocked", () => {
  const { lifted } = pressed(null, " ", "a", queue);
  assert.equal(pressed(lifted, "x", "a", queue).handled, false);
  assert.equal(pressed(lifted, "Tab", "a", queue).handled, true);
});

test("the preview shows the lifted item once, at its current position", () => {
  const { lifted } = run(board, "c", [" ", "ArrowRight", "ArrowUp"]);
  assert.deepEqual(
    previewOf(board, lifted).map(({ items }) => items),
    [["a", "b"], ["c", "d"], []],
  );
  assert.equal(previewOf(board, null), board);
});

test("neighbors do not include the item itself", () => {
  assert.deepEqual(neighborsAt(["a", "b", "c"], "a", 1), { before: "b", after: "c" });
  assert.deepEqual(neighborsAt(["a", "b", "c"], "c", 0), { before: null, after: "a" });
  assert.deepEqual(neighborsAt(["a"], "a", 0), { before: null, after: null });
  assert.deepEqual(neighborsAt([1, 2], 9, 2), { before: 2, after: null });
});

test("an item dropped on an edge lands next to its target, from above and from below", () => {
  assert.equal(indexAtEdge(["a", "b", "c"], "a", "c", "before"), 1);
  assert.equal(indexAtEdge(["a", "b", "c"], "a", "c", "after"), 2);
  assert.equal(indexAtEdge(["a", "b", "c"], "c", "a", "before"), 0);
  assert.equal(indexAtEdge(["d"], "a", "d", "after"), 1);
  assert.equal(indexAtEdge(["a", "b"], "b", "b", "after"), 1);
});
