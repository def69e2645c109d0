import assert from "node:assert/strict";
import { test } from "node:test";
import { ExpiringSet } from "./expiring-set.ts";

function setAt(start: number) {
  const clock = { now: start };
  return { clock, set: new ExpiringSet<string>(() => clock.now) };
}

test("an item belongs to the set until its time is over, or it is deleted", () => {
  const { clock, set } = setAt(1_000);
  set.add("a", 100);
  set.add("b", 100);
  set.delete("b");
  assert.deepEqual([set.has("a"), set.has("b"), set.has("c")], [true, false, false]);
  clock.now = 1_100;
  assert.equal(set.has("a"), false);
});

test("adding an item again renews it", () => {
  const { clock, set } = setAt(0);
  set.add("a", 100);
  clock.now = 90;
  set.add("a", 100);
  clock.now = 150;
  assert.equal(set.has("a"), true);
});

test("expired items are removed while others are added", () => {
  const { clock, set } = setAt(0);
  for (let n = 0; n < 1_000; n++) {
    clock.now = n * 10;
    set.add(String(n), 100);
  }
  assert.ok(set.size <= 11, String(set.size));
});
