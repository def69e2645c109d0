import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutIssue, aNotification } from "../../../test/support/a-notification.ts";
import type { Mark, Pending } from "../data/inbox/pending-marks.ts";
import { groupOf } from "./groups.ts";
import { groupWith, openEntry, openGroup } from "./open-group.ts";

const pending = (marks: Record<number, Mark>): Pending =>
  new Map(Object.entries(marks).map(([id, mark]) => [Number(id), { mark, wasUnread: true, state: "ready" }]));
const NO_MARKS = pending({});

const group = groupOf([
  aNotification(9, aboutIssue(5)),
  aNotification(7, aboutIssue(5)),
  aNotification(4, aboutIssue(5)),
]);
const other = groupOf([aNotification(8)]);

test("an address that names an older entry of a group opens the group", () => {
  assert.equal(groupWith([other, group], 4), group);
});

test("without an entry in the address no group is open", () => {
  assert.equal(groupWith([other, group], null), undefined);
});

test("a group that leaves the list stays open", () => {
  assert.deepEqual(openGroup(undefined, group, { opened: 9, marks: NO_MARKS }), group);
});

test("a group that has left the list shows marks that are made while it is open", () => {
  const open = openGroup(undefined, group, { opened: 9, marks: pending({ 9: "read", 7: "read" }) });
  assert.equal(open?.unread, 1);
});

test("a group that has left the list closes when its entries are deleted", () => {
  const marks = pending({ 9: "gone", 7: "gone", 4: "gone" });
  assert.equal(openGroup(undefined, group, { opened: 9, marks }), undefined);
});

test("a group that has left the list closes when the address names another entry", () => {
  assert.equal(openGroup(undefined, group, { opened: 8, marks: NO_MARKS }), undefined);
});

test("a listed group replaces the one that was open last", () => {
  assert.equal(openGroup(other, group, { opened: 8, marks: NO_MARKS }), other);
});

test("the entry that the address names is open", () => {
  assert.equal(openEntry(group, 7)?.id, 7);
});

test("if the entry that the address names is deleted, the newest one of the group is open", () => {
  const open = openGroup(undefined, group, { opened: 7, marks: pending({ 7: "gone" }) });
  assert.equal(openEntry(open, 7)?.id, 9);
});
