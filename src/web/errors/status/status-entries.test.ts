import assert from "node:assert/strict";
import { test } from "node:test";
import type { MenuEntry } from "../../kit/menu-entry.ts";
import { EMPTY_SNOOZE, readSnooze } from "./snooze-form.ts";
import { releaseEntries, snoozeEntries } from "./status-entries.ts";

const SUNDAY = new Date("2026-11-22T12:00:00Z");

/** What choosing each entry of a menu does. */
function chosen(entriesOf: (handlers: Handlers) => MenuEntry[]) {
  const done: unknown[] = [];
  const record = (what: unknown) => void done.push(what);
  for (const entry of entriesOf({ onChange: record, onAsk: record }))
    if (typeof entry === "object" && entry !== null && "label" in entry) {
      done.push(entry.label);
      entry.onSelect?.();
    }
  return done;
}
type Handlers = Parameters<typeof releaseEntries>[0];

test("errors are resolved in the next release, or in one that a dialog asks for", () => {
  assert.deepEqual(chosen(releaseEntries), [
    "The next release",
    { status: 1, in: "next_release" },
    "A release…",
    { about: "release" },
  ]);
});

test("a snooze ends at a morning in the user's time zone, or at what a dialog asks for", () => {
  const entries = chosen((handlers) =>
    snoozeEntries({ isSnoozed: true, now: SUNDAY, timeZone: "Europe/Berlin", ...handlers }),
  );
  assert.deepEqual(entries, [
    "Tomorrow",
    { status: 2, until: { at: "2026-11-23T08:00:00.000Z" } },
    "A date and time…",
    { about: "snooze", field: "at" },
    "More events…",
    { about: "snooze", field: "occurrences" },
    "More users…",
    { about: "snooze", field: "users" },
    "A release…",
    { about: "snooze", field: "release" },
    "End snooze",
    { status: 0 },
    "Ignore indefinitely",
    { status: 2 },
  ]);
});

test("the conditions of a snooze are read from its form, and wrong ones are named", () => {
  const at = { timeZone: "Europe/Berlin", now: SUNDAY.getTime() };
  const read = (text: Partial<typeof EMPTY_SNOOZE>) => readSnooze({ ...EMPTY_SNOOZE, ...text }, at);
  assert.deepEqual(read({ occurrences: " 100 ", release: " 4.13.0 " }), {
    until: { occurrences: 100, release: "4.13.0" },
  });
  assert.deepEqual(read({ at: "2026-11-23T09:30" }), { until: { at: "2026-11-23T08:30:00.000Z" } });
  assert.deepEqual(read({ at: "2026-11-22T09:30", users: "10001", occurrences: "1e3" }), {
    errors: {
      at: "Choose a time in the future.",
      users: "Enter a whole number from 1 to 10,000.",
      occurrences: "Enter a whole number from 1 to 1,000,000,000.",
    },
  });
  assert.deepEqual(read({}), { errors: { at: "Enter at least one condition." } });
});
