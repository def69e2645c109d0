import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notification } from "../../shared/notifications.ts";
import { aboutIssue, aNotification } from "../../../test/support/a-notification.ts";
import type { Mark, Pending } from "../data/inbox/pending-marks.ts";
import { type Group, groupEntries } from "./groups.ts";
import {
  deletionText,
  groupsBeyond,
  listedEntries,
  type Loaded,
  notLoaded,
  readsBeyond,
  unreadIn,
} from "./listed-entries.ts";

const READ = { read_at: "2026-11-20T10:00:00.000000Z" };
const ids = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);
const pending = (marks: Record<number, Mark>): Pending =>
  new Map(Object.entries(marks).map(([id, mark]) => [Number(id), { mark, wasUnread: true, state: "ready" }]));

test("an entry leaves the unread ones as soon as it is marked as read", () => {
  const entries = [aNotification(3), aNotification(2)];
  assert.deepEqual(ids(listedEntries(entries, pending({ 3: "read" }), false)), [2]);
});

test("an entry that is marked as read stays among all entries, shown as read", () => {
  const [entry] = listedEntries([aNotification(3)], pending({ 3: "read" }), true);
  assert.notEqual(entry?.read_at, null);
});

test("an entry that is marked as unread again returns to the unread ones", () => {
  assert.deepEqual(ids(listedEntries([aNotification(3, READ)], pending({ 3: "unread" }), false)), [3]);
});

test("a deleted entry leaves every view at once", () => {
  const entries = [aNotification(3), aNotification(2)];
  assert.deepEqual(ids(listedEntries(entries, pending({ 3: "gone" }), false)), [2]);
  assert.deepEqual(ids(listedEntries(entries, pending({ 3: "gone" }), true)), [2]);
});

const loaded = (entries: Notification[], things: Record<string, number>, hasMore = true): Loaded => ({
  entries,
  hasMore,
  counts: { types: {}, projects: {}, things },
});
const groupIn = (entries: readonly Notification[], marks: Pending = new Map()) =>
  groupEntries(listedEntries(entries, marks, true))[0] as Group;

test("a group counts its unread entries on pages that are not loaded", () => {
  const entries = [aNotification(9, aboutIssue(5)), aNotification(8, { ...aboutIssue(5), ...READ })];
  assert.equal(unreadIn(groupIn(entries), loaded(entries, { "issue:5": 4 })), 4);
});

test("marking the loaded entries of a group as read leaves the count of the others", () => {
  const entries = [aNotification(9, aboutIssue(5)), aNotification(8, aboutIssue(5))];
  const group = groupIn(entries, pending({ 8: "read", 9: "read" }));
  assert.equal(unreadIn(group, loaded(entries, { "issue:5": 5 })), 3);
});

test("a count that is behind the loaded entries is ignored", () => {
  const entries = [aNotification(9, aboutIssue(5)), aNotification(8, aboutIssue(5))];
  assert.equal(unreadIn(groupIn(entries), loaded(entries, { "issue:5": 1 })), 2);
});

test("once all pages are loaded, the loaded entries are what counts", () => {
  const entries = [aNotification(9, aboutIssue(5))];
  assert.equal(unreadIn(groupIn(entries), loaded(entries, { "issue:5": 4 }, false)), 1);
});

test("until the counts have arrived, the loaded entries are what counts", () => {
  const entries = [aNotification(9, aboutIssue(5))];
  assert.equal(unreadIn(groupIn(entries), { entries, hasMore: true, counts: undefined }), 1);
});

test("only groups with unread entries on further pages are read from the server", () => {
  const entries = [aNotification(9, aboutIssue(5)), aNotification(8, aboutIssue(6))];
  const beyond = groupsBeyond(groupEntries(entries), loaded(entries, { "issue:5": 1, "issue:6": 3 }));
  assert.deepEqual(
    beyond.map(({ key }) => key),
    ["issue:6"],
  );
});

test("entries that are loaded already are not marked twice", () => {
  const entries = [aNotification(9), aNotification(8)];
  assert.deepEqual(ids(notLoaded([aNotification(8), aNotification(7)], loaded(entries, {}))), [7]);
});

const NO_FILTER = { type: undefined, project: undefined };

test("without a filter, marking all as read includes the pages that are not loaded", () => {
  assert.equal(readsBeyond(NO_FILTER, { hasMore: true }), true);
});

test("with a filter, marking all as read marks the loaded entries", () => {
  assert.equal(readsBeyond({ ...NO_FILTER, type: "4" }, { hasMore: true }), false);
  assert.equal(readsBeyond({ ...NO_FILTER, project: "7" }, { hasMore: true }), false);
});

test("if every page is loaded, marking all as read requests nothing first", () => {
  assert.equal(readsBeyond(NO_FILTER, { hasMore: false }), false);
});

test("the message about one deleted entry repeats its text", () => {
  assert.equal(deletionText([aNotification(3)]), "Deleted: Entry 3");
});

test("the message about several deleted entries counts them", () => {
  assert.equal(deletionText([aNotification(3), aNotification(2)]), "2 notifications deleted");
});
