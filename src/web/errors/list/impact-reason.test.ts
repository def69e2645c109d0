import assert from "node:assert/strict";
import { test } from "node:test";
import { impactReason, isNew } from "./impact-reason.ts";

const NOW = Date.parse("2026-11-27T06:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const group = (first: number, last: number, regressed?: number) => ({
  first_seen_at: hoursAgo(first),
  last_seen_at: hoursAgo(last),
  regressed_at: regressed === undefined ? null : hoursAgo(regressed),
  daily_counts: [9, 100, 20],
});

test("an error is new for 24 hours", () => {
  assert.deepEqual([isNew(group(23, 1), NOW), isNew(group(25, 1), NOW)], [true, false]);
});

test("new and regressed errors say so, others how many events they had in 24 hours", () => {
  const word = (of: ReturnType<typeof group>) => impactReason(of, NOW).word;
  assert.equal(word(group(2, 1)), "New");
  assert.equal(word(group(99, 1, 2)), "Regressed");
  assert.equal(word(group(99, 1, 30)), "95 in 24 h");
  assert.equal(word(group(99, 30)), "—");
  assert.match(impactReason(group(2, 1), NOW).sentence, /^New errors come first for 24 hours\. 95 events/);
});
