import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutIssue, aNotification } from "../../../test/support/a-notification.ts";
import { groupOf } from "./groups.ts";
import { canReopen, commandTargets, nounFor } from "./inbox-commands.ts";

const READ = { read_at: "2026-11-20T10:00:00.000000Z" };
const unread = groupOf([aNotification(9)]);
const partlyRead = groupOf([
  aNotification(8, aboutIssue(5)),
  aNotification(7, { ...aboutIssue(5), ...READ }),
]);

test("commands act on the selected groups", () => {
  const selected = [unread, partlyRead];
  assert.deepEqual(commandTargets({ selected, current: unread, openGroup: undefined }).targets, selected);
});

test("without a selection, commands act on the row of the cursor before the open group", () => {
  const { targets } = commandTargets({ selected: [], current: unread, openGroup: partlyRead });
  assert.deepEqual(targets, [unread]);
});

test("without selection and cursor, commands act on the open group", () => {
  const { targets } = commandTargets({ selected: [], current: undefined, openGroup: partlyRead });
  assert.deepEqual(targets, [partlyRead]);
});

test("without any group, commands have no target", () => {
  const { targets } = commandTargets({ selected: [], current: undefined, openGroup: undefined });
  assert.deepEqual(targets, []);
});

test("a command for several entries names their number, also those of one group", () => {
  assert.equal(nounFor([partlyRead]), "2 notifications");
  assert.equal(nounFor([partlyRead, unread]), "3 notifications");
});

test("a command for one entry does not count", () => {
  assert.equal(nounFor([unread]), "notification");
});

test("only a group with a read entry can be marked as unread", () => {
  assert.equal(canReopen([unread], false), false);
  assert.equal(canReopen([unread, partlyRead], false), true);
});

test("every snoozed group can be returned to the inbox", () => {
  assert.equal(canReopen([unread], true), true);
});
