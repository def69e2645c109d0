import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleComparison, type ReleaseComparison } from "../../shared/release-health.ts";
import { crashFreeText, shareText, verdictOf } from "./health-text.ts";

const { before } = exampleComparison;
const verdict = (changes: Partial<ReleaseComparison>) => verdictOf({ ...exampleComparison, ...changes });

test("a release with more crashes than the one before is worse, with both rates and its sessions", () => {
  assert.deepEqual(verdict({}), {
    text: "99.2% crash-free, 99.6% before: worse (4,120 sessions)",
    tone: "worse",
  });
});

test("a release with fewer crashes is better", () => {
  assert.deepEqual(verdict({ crash_free_sessions: 1 }), {
    text: "100% crash-free, 99.6% before: better (4,120 sessions)",
    tone: "better",
  });
});

test("rates that look the same are about the same", () => {
  const text = "99.6% crash-free, 99.6% before: about the same (4,120 sessions)";
  assert.deepEqual(verdict({ crash_free_sessions: 0.9969 }), { text, tone: "neutral" });
});

test("below 200 sessions it is too early for a verdict", () => {
  assert.deepEqual(verdict({ sessions: 199 }), {
    text: "Too early to say: 199 sessions of the 200 that a comparison needs.",
    tone: "neutral",
  });
  assert.equal(verdict({ sessions: 200 }).tone, "worse");
});

test("a release is not compared with one that had too few sessions, or with none", () => {
  assert.equal(
    verdict({ before: before && { ...before, sessions: 12 } }).text,
    "99.2% crash-free in the first 24 hours (4,120 sessions). 4.2.0 had too few sessions to compare with.",
  );
  assert.equal(
    verdict({ hours: 1, before: null }).text,
    "99.2% crash-free in the first hour (4,120 sessions). No older release to compare with.",
  );
});

test("only a release without crashes is 100% crash-free", () => {
  assert.deepEqual([1, 0.99999, 0.9992, 0].map(crashFreeText), ["100%", "99.99%", "99.92%", "0%"]);
});

test("a small share is not rounded to 0%", () => {
  assert.deepEqual([0, 0.004, 0.824, 1].map(shareText), ["0%", "<1%", "82%", "100%"]);
});
