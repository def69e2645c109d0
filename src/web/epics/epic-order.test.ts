import assert from "node:assert/strict";
import { test } from "node:test";
import type { Epic } from "../../shared/epics.ts";
import { asShown, epicsIn, ownedBy } from "./epic-order.ts";

const epic = (id: number, fields: Partial<Epic> = {}) =>
  ({ id, state: "open", ends_on: null, updated_at: "2026-11-01", ...fields }) as Epic;
const EPICS = [
  epic(1),
  epic(2, { ends_on: "2026-12-24" }),
  epic(3, { state: "done", updated_at: "2026-11-02" }),
  epic(4, { ends_on: "2026-11-30" }),
  epic(5, { state: "done", updated_at: "2026-11-03" }),
];
const ids = (shown: "open" | "done" | "all") => epicsIn(EPICS, shown).map(({ id }) => id);

test("open epics are ordered by end date, those without one last", () => {
  assert.deepEqual(ids("open"), [4, 2, 1]);
});

test("done epics are ordered by last change, after the open ones", () => {
  assert.deepEqual(ids("done"), [5, 3]);
  assert.deepEqual(ids("all"), [4, 2, 1, 5, 3]);
});

test("an unknown state in the address shows open epics", () => {
  assert.deepEqual([asShown(undefined), asShown("x"), asShown("done")], ["open", "open", "done"]);
});

test("epics are filtered by any of several owners, oneself and nobody among them", () => {
  const epics = [epic(1, { owner_id: 3 }), epic(2, { owner_id: 4 }), epic(3, { owner_id: null })];
  const owned = (...owners: string[]) => ownedBy(epics, owners, 4).map(({ id }) => id);
  assert.deepEqual([owned(), owned("me"), owned("3", "none")], [[1, 2, 3], [2], [1, 3]]);
});
