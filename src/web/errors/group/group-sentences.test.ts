import assert from "node:assert/strict";
import { test } from "node:test";
import { groupSentence } from "./group-sentences.ts";

const names = {
  person: (id: number) => ({ 1: "Ada Moss", 2: "Ben Ruiz" })[id],
  issue: (id: number) => (id === 7 ? "WEB-7" : undefined),
};

for (const [entry, sentence] of [
  [{ kind: "first_seen", actor_id: null, from: null, to: "4.1.0" }, "First seen in 4.1.0"],
  [{ kind: "first_seen", actor_id: null, from: null, to: null }, "First seen"],
  [{ kind: "resolved", actor_id: 1, from: null, to: "4.1.0" }, "resolved it in 4.1.0"],
  [
    { kind: "resolved", actor_id: 1, from: null, to: { mode: "next_release", release: null } },
    "resolved it in the next release",
  ],
  [
    { kind: "resolved", actor_id: null, from: { monitor: "nightly-backup" }, to: null },
    "Resolved by its monitor",
  ],
  [{ kind: "resolved", actor_id: null, from: null, to: null }, "Resolved"],
  [
    { kind: "regressed", actor_id: null, from: "4.1.0", to: "4.2.0" },
    "Regressed in 4.2.0 after it was resolved in 4.1.0",
  ],
  [{ kind: "reopened", actor_id: 1, from: 1, to: null }, "reopened it"],
  [
    { kind: "reopened", actor_id: null, from: { occurrences: 100 }, to: null },
    "Reopened: it was snoozed until 100 more events",
  ],
  [
    { kind: "snoozed", actor_id: 1, from: null, to: { users: 1, release: "4.3.0" } },
    "snoozed it until 1 more user is affected or release 4.3.0",
  ],
  [{ kind: "ignored", actor_id: null, from: null, to: null }, "Ignored"],
  [
    { kind: "snoozed", actor_id: null, from: null, to: { occurrences: 5 } },
    "Someone snoozed it until 5 more events",
  ],
  [{ kind: "assigned", actor_id: 1, from: null, to: 1 }, "assigned themselves"],
  [{ kind: "assigned", actor_id: 1, from: 1, to: 2 }, "assigned Ben Ruiz instead of Ada Moss"],
  [{ kind: "assigned", actor_id: 1, from: 2, to: null }, "unassigned Ben Ruiz"],
  [{ kind: "linked", actor_id: 1, from: null, to: 7 }, "linked it to WEB-7"],
  [{ kind: "unlinked", actor_id: 1, from: 8, to: null }, "unlinked it from a deleted issue"],
  [
    { kind: "merged", actor_id: 1, from: { error_group_id: 12, exception_class: "Timeout" }, to: null },
    "merged Timeout (#12) into it",
  ],
  [
    { kind: "split", actor_id: 1, from: { fingerprint: "5f", exception_class: "Timeout" }, to: null },
    "split Timeout off; its new events form an error of their own",
  ],
] as const)
  test(`a history entry reads "${sentence}"`, () => assert.equal(groupSentence(entry, names), sentence));
