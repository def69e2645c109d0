import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bulkText,
  canBecome,
  IGNORED,
  OPEN,
  reopensWhen,
  RESOLVED,
  type StatusFields,
  withStatus,
} from "./states.ts";

const by = { userId: 7, now: "2026-11-21T10:00:00.000Z" };
const open: StatusFields = {
  status: OPEN,
  resolved_at: null,
  resolved_by_id: null,
  regressed_at: null,
  last_release: "1.8.2",
};
const regressed: StatusFields = {
  ...open,
  resolved_at: "2026-11-01",
  resolved_by_id: 3,
  regressed_at: "2026-11-20",
};
const resolved = withStatus(open, RESOLVED, by);

test("resolving sets who and when, and clears the regression", () => {
  assert.deepEqual(resolved, { ...open, status: RESOLVED, resolved_at: by.now, resolved_by_id: 7 });
  assert.deepEqual(withStatus(regressed, RESOLVED, by), resolved);
});

test("ignoring and reopening clear all three fields, also of a regressed group", () => {
  assert.deepEqual(withStatus(resolved, IGNORED, by), { ...open, status: IGNORED });
  assert.deepEqual(withStatus(resolved, OPEN, by), open);
  assert.deepEqual(withStatus(regressed, OPEN, by), open);
});

test("setting the current status changes nothing, except that a regressed group can be marked as open", () => {
  assert.equal(withStatus(resolved, RESOLVED, { userId: 9, now: "later" }), resolved);
  assert.deepEqual(
    [open, regressed, resolved].map((group) => canBecome(group, OPEN)),
    [false, true, true],
  );
});

test("a resolved group says which event reopens it", () => {
  assert.equal(reopensWhen(resolved), "Reopens if seen in a release other than 1.8.2.");
  assert.equal(reopensWhen({ last_release: null }), "Reopens at the next event.");
});

test("a bulk change says how many changed and how many were refused", () => {
  assert.equal(bulkText(RESOLVED, 38, 2), "38 resolved · 2 not permitted");
  assert.equal(bulkText(IGNORED, 3, 0), "3 ignored");
  assert.equal(bulkText(OPEN, 0, 1), "1 not permitted");
});
