import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notification } from "../../shared/notifications.ts";
import { groupEntries } from "./groups.ts";

const entry = (id: number, more: Partial<Notification> = {}): Notification => ({
  id,
  type: 2,
  message: `Entry ${id}`,
  read_at: null,
  created_at: `2026-11-20T09:00:${String(id).padStart(2, "0")}.000000Z`,
  actor: null,
  notifiable: { type: "project", id: 1, name: "Web" },
  excerpt: null,
  comment_id: null,
  report_id: null,
  epic_id: null,
  thumbnail_id: null,
  snoozed_until: null,
  ...more,
});

const issue = (id: number): Pick<Notification, "notifiable"> => ({
  notifiable: { type: "issue", id, key: `WEB-${id}`, title: "Checkout", project_id: 1 },
});

test("entries about the same issue, report or epic form one group with its unread entries", () => {
  const groups = groupEntries([
    entry(9, issue(5)),
    entry(8, { report_id: 5 }),
    entry(7, { epic_id: 5 }),
    entry(6),
    entry(5, { ...issue(5), read_at: "2026-11-20T10:00:00.000000Z" }),
    entry(4, { epic_id: 5 }),
    entry(3),
    entry(2, issue(6)),
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
  const back = entry(1, { snoozed_until: "2026-11-20T09:30:00.000000Z" });
  assert.deepEqual(
    groupEntries([entry(3), entry(2), back]).map(({ id }) => id),
    [1, 3, 2],
  );
});
