import assert from "node:assert/strict";
import { test } from "node:test";
import { instantOfText, snoozeTimes, textOfInstant } from "./snooze-times.ts";

const offered = (now: string, timeZone: string) =>
  snoozeTimes(new Date(now), timeZone).map(({ label, at }) => [label, at.toISOString().slice(0, 16)]);

test("the offered times are those of the person's time zone", () => {
  // A Friday; 10:10 in Berlin.
  assert.deepEqual(offered("2026-11-20T09:10:00Z", "Europe/Berlin"), [
    ["Later today", "2026-11-20T12:00"],
    ["Tomorrow", "2026-11-21T08:00"],
    ["Next Monday", "2026-11-23T08:00"],
  ]);
  // 22:10 in Auckland.
  assert.deepEqual(offered("2026-11-20T09:10:00Z", "Pacific/Auckland"), [
    ["Tomorrow", "2026-11-20T20:00"],
    ["Next Monday", "2026-11-22T20:00"],
  ]);
});

test("late in the evening nothing is offered for today, and on a Sunday Monday is tomorrow", () => {
  assert.deepEqual(offered("2026-11-22T22:30:00Z", "UTC"), [["Tomorrow", "2026-11-23T09:00"]]);
});

test("a chosen time is read in the time zone on both sides of a change of the clocks", () => {
  for (const [text, moment] of [
    ["2026-03-28T09:00", "2026-03-28T08:00"],
    ["2026-03-29T09:00", "2026-03-29T07:00"],
    ["2026-10-25T09:00", "2026-10-25T08:00"],
  ] as const) {
    const at = instantOfText(text, "Europe/Berlin");
    assert.equal(at?.toISOString().slice(0, 16), moment);
    assert.equal(textOfInstant(at, "Europe/Berlin"), text);
  }
  assert.equal(instantOfText("", "UTC"), undefined);
});
