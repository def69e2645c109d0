import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutIssue, aNotification } from "../../../test/support/a-notification.ts";
import { groupEntries } from "./groups.ts";

test("entries about the same issue, report or epic form one group with its unread entries", () => {
  const groups = groupEntries([
    aNotification(9, aboutIssue(5)),
    aNotification(8, { report_id: 5 }),
    aNotification(7, { epic_id: 5 }),
    aNotification(6),
    aNotification(5, { ...aboutIssue(5), read_at: "2026-11-20T10:00:00.000000Z" }),
    aNotification(4, { epic_id: 5 }),
    aNotification(3),
    aNotification(2, aboutIssue(6)),
  ]);
  assert.deepEqual(
    groups.map(({ id, key, entries, unread }) => [id, key, entries.map((one) => one.id), unread]),
    [
      [9, "issue:5", [9, 5], 1],
      [8, "report:5", [8], 1],
      [7, "epic:5", [7, 4], 2],
      [6, "entry:6", [6], 1],
      [3, "entry:3", [3], 1],
      [2, "issue:6", [2], 1],
    ],
  );
});

test("a group whose snoozed entry has returned is above groups with older activity", () => {
  const back = aNotification(1, { snoozed_until: "2026-11-20T09:30:00.000000Z" });
  assert.deepEqual(
    groupEntries([aNotification(3), aNotification(2), back]).map(({ id }) => id),
    [1, 3, 2],
  );
});
