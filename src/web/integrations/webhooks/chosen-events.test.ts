import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEvent, withEvent, withKind } from "./chosen-events.ts";
import { EVENT_KINDS, summaryOf } from "./event-names.ts";

const sprints = EVENT_KINDS.find(({ kind }) => kind === "sprint")!;

test("a whole kind includes each of its events", () => {
  assert.equal(hasEvent(["sprint.*"], "sprint.created"), true);
  assert.equal(hasEvent(["sprint.*"], "epic.created"), false);
  assert.equal(hasEvent(["sprint.created"], "sprint.updated"), false);
});

test("removing an event of a whole kind leaves the other events of the kind", () => {
  assert.deepEqual(withEvent(["issue.closed", "sprint.*"], sprints, "sprint.updated", false), [
    "issue.closed",
    "sprint.created",
    "sprint.deleted",
  ]);
});

test("adding a whole kind replaces its events", () => {
  assert.deepEqual(withKind(["sprint.created", "issue.closed"], sprints, true), ["issue.closed", "sprint.*"]);
  assert.deepEqual(withKind(["sprint.*", "issue.closed"], sprints, false), ["issue.closed"]);
});

test("a summary names the kinds of objects", () => {
  assert.equal(summaryOf(["error_group.created", "issue.*", "issue.closed"]), "Issues, Errors");
  assert.equal(summaryOf(["*"]), "All events");
});
