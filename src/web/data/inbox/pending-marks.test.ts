import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Notification } from "../../../shared/notifications.ts";
import {
  giveUp,
  hold,
  makeReady,
  marked,
  pendingMarks,
  release,
  settle,
  takeReady,
  unreadChange,
} from "./pending-marks.ts";

const entry = (id: number, read = false): Notification => ({
  id,
  type: 5,
  message: "Something happened",
  read_at: read ? "2026-11-20T10:00:00.000000Z" : null,
  created_at: "2026-11-20T09:00:00.000000Z",
  actor: null,
  notifiable: { type: "project", id: 1, name: "Web" },
  excerpt: null,
  comment_id: null,
  report_id: null,
  epic_id: null,
  thumbnail_id: null,
  snoozed_until: null,
});

const change = () => unreadChange(pendingMarks.get());
const shown = (one: Notification) => marked(one, pendingMarks.get());

beforeEach(() => release([...pendingMarks.get().keys()]));

test("a mark is shown and counted at once; marking a read entry as read does not count", () => {
  hold([entry(1), entry(2, true)], "read", "ready");
  assert.notEqual(shown(entry(1))?.read_at, null);
  assert.equal(change(), -1);
  hold([entry(3), entry(4, true)], "unread", "ready");
  assert.equal(shown(entry(4, true))?.read_at, null);
  assert.equal(change(), 0);
});

const taken = () => takeReady().map(({ mark, ids }) => [mark, ids]);

test("a deleted entry is hidden until the deletion is undone, and only an unread one is counted", () => {
  hold([entry(1), entry(2, true)], "gone", "held");
  assert.deepEqual([shown(entry(1)), shown(entry(2, true)), change()], [undefined, undefined, -1]);
  assert.deepEqual(taken(), []);
  release([1]);
  assert.deepEqual([shown(entry(1)), change()], [entry(1), 0]);
  makeReady([2]);
  assert.deepEqual(taken(), [["gone", [2]]]);
});

test("ready marks are sent together and only once", () => {
  hold([entry(1), entry(2)], "read", "ready");
  hold([entry(3)], "unread", "ready");
  const batches = takeReady();
  assert.deepEqual(
    batches.map(({ mark, ids }) => [mark, ids]),
    [
      ["read", [1, 2]],
      ["unread", [3]],
    ],
  );
  assert.deepEqual(taken(), []);
  settle(batches[0]!);
  assert.deepEqual([...pendingMarks.get().keys()], [3]);
});

test("a mark made while an earlier one is in flight replaces it", () => {
  hold([entry(1)], "read", "ready");
  const [first] = takeReady();
  hold([entry(1)], "unread", "ready");
  settle(first!);
  assert.equal(shown(entry(1, true))?.read_at, null);
  assert.equal(change(), 1);
  assert.deepEqual(taken(), [["unread", [1]]]);
});

test("a failed batch keeps newer marks, whether they can still be undone or are already sent", () => {
  hold([entry(1), entry(2), entry(3)], "read", "ready");
  const [refused] = takeReady();
  hold([entry(1)], "gone", "held");
  hold([entry(2, true)], "unread", "ready");
  const [next] = takeReady();
  giveUp(refused!);
  assert.deepEqual([...pendingMarks.get().keys()], [1, 2]);
  assert.deepEqual([shown(entry(1)), change()], [undefined, -1]);
  settle(next!);
  assert.deepEqual([...pendingMarks.get().keys()], [1]);
});
