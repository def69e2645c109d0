import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cursorOf,
  type ListAction,
  type ListState,
  nextAfter,
  reduceList,
  startList,
  stepFrom,
} from "./list-state.ts";

type Start = { ids?: number[]; opened?: number | null; cursor?: number | null };

const start = ({ ids = [1, 2, 3, 4, 5], opened = null, cursor = null }: Start = {}) =>
  startList(ids, opened, cursor);
const after = (state: ListState, ...actions: ListAction[]) => actions.reduce(reduceList, state);
const rows = (...ids: number[]): ListAction => ({ type: "rows", ids });
const opened = (id: number | null): ListAction => ({ type: "opened", id });
const toggle = (id: number, range = false): ListAction => ({ type: "toggle", id, range });

test("a step moves the cursor, and the first one reaches the first row", () => {
  const cases: [Start, 1 | -1, number | null][] = [
    [{}, 1, 1],
    [{}, -1, 1],
    [{ cursor: 2 }, 1, 3],
    [{ cursor: 2 }, -1, 1],
    [{ cursor: 5 }, 1, 5],
    [{ cursor: 1 }, -1, 1],
    [{ opened: 3 }, 1, 4],
    [{ cursor: 9 }, 1, 1],
    [{ ids: [] }, 1, null],
  ];
  for (const [from, by, to] of cases)
    assert.equal(stepFrom(start(from), by), to, `${JSON.stringify(from)} ${by}`);
});

test("the cursor stays on its row when rows are added, removed or reordered around it", () => {
  for (const ids of [[9, 1, 2, 3, 4, 5], [3], [5, 4, 3, 2, 1]])
    assert.equal(cursorOf(after(start({ cursor: 3 }), rows(...ids))), 3, String(ids));
});

test("when its row disappears, the cursor goes to the next row that remains, else to the one before", () => {
  const cases: [number, number[], number | null][] = [
    [2, [1, 3, 4, 5], 3],
    [2, [1, 4, 5], 4],
    [2, [7, 5], 5],
    [5, [1, 2, 3, 4], 4],
    [3, [1, 2], 2],
    [3, [7, 8], null],
    [3, [], null],
  ];
  for (const [cursor, ids, expected] of cases)
    assert.equal(cursorOf(after(start({ cursor }), rows(...ids))), expected, `${cursor} in ${ids}`);
});

test("a cursor set to a row that is not listed yet waits for it", () => {
  const state = start({ ids: [], cursor: 3 });
  assert.equal(cursorOf(state), null);
  assert.equal(cursorOf(after(state, rows(1, 2, 3))), 3);
});

test("opening a row moves the cursor to it, and closing it leaves the cursor there", () => {
  const open = after(start({ cursor: 1 }), opened(4));
  assert.equal(cursorOf(open), 4);
  assert.equal(cursorOf(after(open, opened(null))), 4);
});

test("when the opened row leaves the list, it stays open and the cursor is between its neighbors", () => {
  const state = after(start({ opened: 3 }), rows(1, 2, 4, 5));
  assert.equal(state.opened, 3);
  assert.equal(cursorOf(state), null);
  assert.deepEqual([stepFrom(state, 1), stepFrom(state, -1)], [4, 2]);
  assert.equal(cursorOf(after(state, opened(null))), 4);
});

test("the gap of an opened row follows the rows around it", () => {
  const state = after(start({ opened: 3 }), rows(1, 2, 4, 5), rows(8, 9, 2, 5));
  assert.deepEqual([stepFrom(state, 1), stepFrom(state, -1)], [5, 2]);
  const atEnd = after(start({ opened: 5 }), rows(1, 2));
  assert.deepEqual([stepFrom(atEnd, 1), stepFrom(atEnd, -1)], [2, 2]);
  assert.equal(stepFrom(after(start({ opened: 3 }), rows()), 1), null);
});

test("the next row after handled ones is the first that remains, else the last before them", () => {
  const cases: [Start, number[], number | null][] = [
    [{ cursor: 2 }, [2], 3],
    [{ cursor: 2 }, [2, 3], 4],
    [{ cursor: 5 }, [5], 4],
    [{ cursor: 4 }, [3, 4, 5], 2],
    [{ cursor: 2 }, [1, 2, 3, 4, 5], null],
    // Selected with the pointer, without a cursor.
    [{}, [1, 3], 4],
    // The cursor's own row is not handled.
    [{ cursor: 5 }, [1, 2], 5],
    // Another row was handled by its menu: go on from there, unless a row is open.
    [{ cursor: 5 }, [2], 3],
    [{ opened: 5 }, [2], 5],
    // Handled without being listed.
    [{ cursor: 2 }, [9], 2],
    [{}, [9], null],
  ];
  for (const [from, handled, expected] of cases)
    assert.equal(nextAfter(start(from), handled), expected, `${JSON.stringify(from)} ${handled}`);
});

test("where handled rows stay in the list, the cursor goes to the next one, and stays at the end", () => {
  assert.equal(nextAfter(start({ cursor: 2 }), [2], true), 3);
  assert.equal(nextAfter(start({ cursor: 5 }), [5], true), 5);
  assert.equal(nextAfter(start({ opened: 4 }), [4, 5], true), 4);
});

test("handled rows are deselected, and the cursor moves on before they disappear", () => {
  const state = after(start({ cursor: 2 }), toggle(2), toggle(4), { type: "handled", ids: [2], next: 3 });
  assert.deepEqual([...state.selected], [4]);
  assert.equal(cursorOf(after(state, rows(1, 3, 4, 5))), 3);
});

test("toggling selects and deselects; with range, all rows from the one toggled last", () => {
  const cases: [ListAction[], number[]][] = [
    [[toggle(2)], [2]],
    [[toggle(2), toggle(2)], []],
    [
      [toggle(2), toggle(4, true)],
      [2, 3, 4],
    ],
    [
      [toggle(4), toggle(2, true)],
      [2, 3, 4],
    ],
    [
      [toggle(1), toggle(5, true), toggle(4), toggle(2, true)],
      [1, 5],
    ],
    [[toggle(3, true)], [3]],
    // The start of the range has left the list.
    [[toggle(2), rows(1, 3, 4, 5), toggle(4, true)], [4]],
  ];
  for (const [actions, expected] of cases)
    assert.deepEqual([...after(start(), ...actions).selected].toSorted(), expected);
});

test("a row that leaves the list is deselected, and comes back deselected", () => {
  const state = after(start(), toggle(2), toggle(3), rows(1, 3, 4, 5));
  assert.deepEqual([...state.selected], [3]);
  assert.deepEqual([...after(state, rows(1, 2, 3, 4, 5)).selected], [3]);
});

test("selecting all and clearing replace the selection", () => {
  const all = after(start(), toggle(2), { type: "select", ids: [1, 2, 3, 4, 5] });
  assert.equal(all.selected.size, 5);
  assert.equal(after(all, { type: "select", ids: [] }).selected.size, 0);
});
