import assert from "node:assert/strict";
import { test } from "node:test";
import { scheduleText } from "./schedule-text.ts";

const crontab = (value: string) => scheduleText({ type: "crontab", value });

test("an interval is written with its number, except for 1", () => {
  assert.equal(scheduleText({ type: "interval", value: 1, unit: "day" }), "Every day");
  assert.equal(scheduleText({ type: "interval", value: 5, unit: "minute" }), "Every 5 minutes");
});

test("a crontab is written as a sentence", () => {
  const sentences = {
    "* * * * *": "Every minute",
    "*/5 * * * *": "Every 5 minutes",
    "*/15 9-17 * * 1-5": "Every 15 minutes from 09:00 to 17:59 on weekdays",
    "0 * * * *": "Every hour",
    "30 */6 * * *": "Every 6 hours at :30",
    "0 2 * * *": "At 02:00 every day",
    "0 2,14 * * *": "At 02:00 and 14:00 every day",
    "5 4 * * mon,FRI": "At 04:05 on Monday and Friday",
    "0 9 * * mon-fri": "At 09:00 on weekdays",
    "0 9 * * 7": "At 09:00 on Sunday",
    "0 0 1,15 * *": "At 00:00 on days 1 and 15 of the month",
    "0 3 * jan,jul *": "At 03:00 in January and July",
    "@weekly": "At 00:00 on Sunday",
    "@yearly": "At 00:00 on day 1 of the month in January",
  };
  for (const [value, sentence] of Object.entries(sentences)) assert.equal(crontab(value), sentence, value);
});

test("a crontab that no short sentence describes stays as it is", () => {
  for (const value of [
    "0 0 13 * 5",
    "0 1,2,3,4,5 * * *",
    "7-59/5 * * * *",
    "0 0 L * *",
    "soon",
    "61 * * * *",
  ])
    assert.equal(crontab(value), value);
});
