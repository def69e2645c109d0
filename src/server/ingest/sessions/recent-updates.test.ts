import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentUpdates } from "./recent-updates.ts";

const MINUTE = 60_000;

test("an update is remembered for ten minutes, and forgotten after twenty without others", () => {
  let now = 0;
  const recent = new RecentUpdates(() => now);
  assert.equal(recent.add(1, "a", "1"), true);
  now = 10 * MINUTE;
  assert.equal(recent.add(1, "a", "1"), false);
  now = 11 * MINUTE;
  recent.add(1, "b", "1");
  assert.equal(recent.add(1, "a", "1"), false);
  now = 22 * MINUTE;
  recent.add(1, "c", "1");
  assert.equal(recent.add(1, "a", "1"), true);
});

test("the same session and number of another project is another update", () => {
  const recent = new RecentUpdates();
  assert.equal(recent.add(1, "a", "1"), true);
  assert.equal(recent.add(2, "a", "1"), true);
  assert.equal(recent.add(1, "a", "2"), true);
});

test("150,000 different updates are all new", () => {
  const recent = new RecentUpdates();
  let known = 0;
  for (let n = 0; n < 150_000; n++) if (!recent.add(1, n.toString(16).padStart(32, "0"), "0")) known++;
  assert.equal(known, 0);
});
