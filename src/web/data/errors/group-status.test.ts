import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applies,
  bulkText,
  canBecome,
  doneText,
  IGNORED,
  OPEN,
  isResolvedByMonitor,
  reopensWhen,
  RESOLVED,
  type StatusFields,
  withStatus,
} from "./group-status.ts";

const by = { userId: 7, now: "2026-11-21T10:00:00.000Z" };
const open: StatusFields = {
  status: OPEN,
  resolved_at: null,
  resolved_by_id: null,
  regressed_at: null,
  last_release: "1.8.2",
  resolved_in: null,
  verified_at: null,
  snoozed_until: null,
  snooze_progress: null,
};
const regressed: StatusFields = {
  ...open,
  resolved_at: "2026-11-01",
  resolved_by_id: 3,
  regressed_at: "2026-11-20",
};
const resolved = withStatus(open, { status: RESOLVED }, by);

test("resolving sets who and when, and clears the regression", () => {
  assert.deepEqual(resolved, { ...open, status: RESOLVED, resolved_at: by.now, resolved_by_id: 7 });
  assert.deepEqual(withStatus(regressed, { status: RESOLVED }, by), resolved);
});

test("ignoring and reopening clear all three fields, also of a regressed group", () => {
  assert.deepEqual(withStatus(resolved, { status: IGNORED }, by), { ...open, status: IGNORED });
  assert.deepEqual(withStatus(resolved, { status: OPEN }, by), open);
  assert.deepEqual(withStatus(regressed, { status: OPEN }, by), open);
});

test("setting the current status changes nothing, except that a regressed group can be marked as open", () => {
  assert.equal(withStatus(resolved, { status: RESOLVED }, { userId: 9, now: "later" }), resolved);
  assert.deepEqual(
    [open, regressed, resolved].map((group) => canBecome(group, OPEN)),
    [false, true, true],
  );
});

test("a resolved group says which event reopens it", () => {
  assert.equal(reopensWhen(resolved), "Reopens if seen in a release other than 1.8.2.");
  assert.equal(reopensWhen({ last_release: null }), "Reopens at the next event.");
});

test("a monitor resolves only the error of its failures, and neither for a person nor in a release", () => {
  const group = { exception_class: "MonitorMissed", resolved_by_id: null, resolved_in: null };
  assert.equal(isResolvedByMonitor(group), true);
  assert.equal(isResolvedByMonitor({ ...group, exception_class: "TypeError" }), false);
  assert.equal(isResolvedByMonitor({ ...group, resolved_by_id: 7 }), false);
  const resolved_in = { mode: "next_release" as const, release: null };
  assert.equal(isResolvedByMonitor({ ...group, resolved_in }), false);
});

test("a bulk change says how many changed and how many were refused", () => {
  assert.equal(bulkText("resolved", 38, 2), "38 resolved · 2 not permitted");
  assert.equal(bulkText("ignored", 3, 0), "3 ignored");
  assert.equal(bulkText("reopened", 0, 1), "1 not permitted");
});

test("resolving in a release and snoozing replace what was set before, and only one error can be ignored for good", () => {
  const next = withStatus(resolved, { status: RESOLVED, in: "next_release" }, by);
  assert.deepEqual(next.resolved_in, { mode: "next_release", release: null });
  const snoozed = withStatus(next, { status: IGNORED, until: { users: 5 } }, by);
  assert.deepEqual([snoozed.resolved_in, snoozed.snoozed_until], [null, { users: 5 }]);
  assert.deepEqual(snoozed.snooze_progress, { occurrences: null, users: 0 });
  assert.equal(applies(snoozed, { status: IGNORED, until: { users: 6 } }, false), true);
  assert.equal(applies(snoozed, { status: IGNORED }, true), true);
  assert.equal(applies(snoozed, { status: IGNORED }, false), false);
});

test("a message says in which release errors are resolved, and until when they are ignored", () => {
  assert.equal(doneText({ status: RESOLVED }), "resolved");
  assert.equal(doneText({ status: RESOLVED, in: "next_release" }), "resolved in the next release");
  assert.equal(doneText({ status: RESOLVED, in: { release: "4.13.0" } }), "resolved in 4.13.0");
  assert.equal(doneText({ status: IGNORED, until: { occurrences: 100 } }), "ignored until 100 more events");
});
