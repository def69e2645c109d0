import assert from "node:assert/strict";
import { test } from "node:test";
import { addMinutes, readTime } from "./read-time.ts";

test("a time is read with and without colon, in 24 and in 12 hours", () => {
  for (const [text, time] of [
    ["14:30", "14:30"],
    ["9:05", "09:05"],
    [" 14.30 ", "14:30"],
    ["1430", "14:30"],
    ["930", "09:30"],
    ["9", "09:00"],
    ["0", "00:00"],
    ["2 pm", "14:00"],
    ["2:30PM", "14:30"],
    ["12 a.m.", "00:00"],
    ["12pm", "12:00"],
  ])
    assert.equal(readTime(text!), time, text);
});

test("text that is not a time of day is rejected", () => {
  for (const text of ["", "24:00", "9:60", "9:5", "13 pm", "0 am", "99999", "noon", "9:30:15"])
    assert.equal(readTime(text), undefined, text);
});

test("minutes are added across the hour and across midnight", () => {
  assert.deepEqual(
    [addMinutes("14:50", 15), addMinutes("23:45", 15), addMinutes("00:00", -15)],
    ["15:05", "00:00", "23:45"],
  );
});
