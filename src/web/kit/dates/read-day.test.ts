import assert from "node:assert/strict";
import { test } from "node:test";
import { readDay } from "./read-day.ts";

const TODAY = "2026-11-20";

test("days are read in the app's format, in ISO format, in numbers and in words", () => {
  const read = Object.fromEntries(
    [
      "2026-12-24",
      "24 Dec 2026",
      "24 december",
      "24. dec. 2026",
      "24dec",
      "Dec 24, 2026",
      "24.12.2026",
      "24.12.",
      "24/12",
      "24-12-2026",
      "24122026",
    ].map((text) => [text, readDay(text, TODAY)]),
  );
  assert.deepEqual(new Set(Object.values(read)), new Set(["2026-12-24"]), JSON.stringify(read));
  assert.equal(readDay("4 jan", TODAY), "2026-01-04");
  assert.equal(readDay(" Today ", TODAY), TODAY);
  assert.equal(readDay("tomorrow", "2026-12-31"), "2027-01-01");
});

test("text that is not a day, or a day that does not exist, is not read", () => {
  for (const text of [
    "",
    "2",
    "24",
    "24 d",
    "24 foo",
    "31 feb",
    "29.2.2026",
    "2026-13-01",
    "24 dec 20",
    "24.12.20",
  ])
    assert.equal(readDay(text, TODAY), undefined, text);
});
