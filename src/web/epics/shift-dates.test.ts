import assert from "node:assert/strict";
import { test } from "node:test";
import { shiftDates } from "./shift-dates.ts";

const dates = { starts_on: "2026-11-28", ends_on: "2026-12-04" };

test("a bar moves as a whole, or with one of its ends", () => {
  assert.deepEqual(shiftDates(dates, "whole", 7), { starts_on: "2026-12-05", ends_on: "2026-12-11" });
  assert.deepEqual(shiftDates(dates, "start", -1), { ...dates, starts_on: "2026-11-27" });
  assert.deepEqual(shiftDates(dates, "end", 30), { ...dates, ends_on: "2027-01-03" });
});

test("an end that is moved past the other one stops there", () => {
  assert.deepEqual(shiftDates(dates, "start", 60), { starts_on: "2026-12-04", ends_on: "2026-12-04" });
  assert.deepEqual(shiftDates(dates, "end", -60), { starts_on: "2026-11-28", ends_on: "2026-11-28" });
});

test("a date that is not set stays open", () => {
  const open = { starts_on: "2026-11-28", ends_on: null };
  assert.deepEqual(shiftDates(open, "whole", 2), { starts_on: "2026-11-30", ends_on: null });
  assert.deepEqual(shiftDates(open, "end", 2), open);
});
