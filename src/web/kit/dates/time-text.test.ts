import assert from "node:assert/strict";
import { test } from "node:test";
import {
  absoluteTime,
  calendarDay,
  dateText,
  dayText,
  printedTime,
  relativeTime,
  shortTime,
} from "./time-text.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const ago = (iso: string, timeZone = "UTC") => relativeTime(iso, now, timeZone);

test("a time is shown in the largest unit that fits", () => {
  assert.equal(ago("2026-11-21T09:59:30.123456Z"), "just now");
  assert.equal(ago("2026-11-21T09:55:00Z"), "5 minutes ago");
  assert.equal(ago("2026-11-21T07:00:00Z"), "3 hours ago");
  assert.equal(ago("2026-11-21T09:00:00Z"), "1 hour ago");
  assert.equal(ago("2026-11-20T08:00:00Z"), "yesterday");
  assert.equal(ago("2026-11-24T10:00:00Z"), "in 3 days");
});

test("a row shows the same time in a few characters", () => {
  const short = (iso: string) => shortTime(iso, now, "UTC");
  assert.equal(short("2026-11-21T09:59:30.123456Z"), "now");
  assert.equal(short("2026-11-21T09:45:00Z"), "15m");
  assert.equal(short("2026-11-21T07:00:00Z"), "3h");
  assert.equal(short("2026-11-20T08:00:00Z"), "1d");
  assert.equal(short("2026-11-24T10:00:00Z"), "in 3d");
  assert.equal(short("2025-09-02T10:00:00Z"), "2 Sept 2025");
});

test("after a month the date is shown, with the year if it is another one", () => {
  assert.equal(ago("2026-09-02T10:00:00Z"), "2 Sept");
  assert.equal(ago("2025-09-02T10:00:00Z"), "2 Sept 2025");
});

test("days follow the reader's time zone", () => {
  assert.equal(ago("2026-11-19T23:30:00Z", "UTC"), "2 days ago");
  assert.equal(ago("2026-11-19T23:30:00Z", "Europe/Berlin"), "yesterday");
  assert.equal(dateText("2026-12-31T23:30:00Z", now, "Europe/Berlin"), "1 Jan 2027");
});

test("the full date and time names its time zone", () => {
  assert.equal(
    absoluteTime("2026-11-20T13:03:22.999999Z", "Europe/Berlin"),
    "20 November 2026 at 14:03:22 CET",
  );
});

test("on paper, a time is a date and a time", () => {
  assert.equal(printedTime("2026-11-20T13:03:22.999999Z", "Europe/Berlin"), "20 Nov 2026, 14:03");
});

test("a calendar day has its year under the same rule as other dates", () => {
  assert.equal(calendarDay("2026-09-02", now, "UTC"), "2 Sept");
  assert.equal(calendarDay("2025-09-02", now, "UTC"), "2 Sept 2025");
});

test("a calendar day does not depend on the time zone", () => {
  assert.equal(dayText("2026-11-20"), "20 Nov 2026");
  assert.equal(dayText("2026-11-20", false), "20 Nov");
});
