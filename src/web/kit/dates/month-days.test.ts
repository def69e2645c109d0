import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, weeksOf } from "./month-days.ts";

test("a month is shown in whole weeks that begin on Monday", () => {
  const november = weeksOf("2026-11");
  assert.equal(november.length, 6);
  assert.deepEqual([november[0]?.[0], november.at(-1)?.[6]], ["2026-10-26", "2026-12-06"]);
  assert.deepEqual(weeksOf("2027-02").length, 4);
});

test("a month later is the same day, or the last day of a shorter month", () => {
  assert.equal(addMonths("2026-01-31", 1), "2026-02-28");
  assert.equal(addMonths("2026-12-15", 1), "2027-01-15");
  assert.equal(addMonths("2028-03-31", -1), "2028-02-29");
});
