import assert from "node:assert/strict";
import { test } from "node:test";
import { readRange, startRange } from "./recovery-range.ts";

const BERLIN = "Europe/Berlin";

test("a range is read in the person's time zone and includes the minute of its end", () => {
  const range = { since: "2026-11-20T09:00", until: "2026-11-20T10:30" };
  assert.deepEqual(readRange(range, BERLIN), {
    time: { since: "2026-11-20T08:00:00.000Z", until: "2026-11-20T09:30:59.999Z" },
  });
});

test("the range that is offered first is the last 24 hours", () => {
  assert.deepEqual(startRange(Date.parse("2026-11-20T08:00:10Z"), BERLIN), {
    since: "2026-11-19T09:00",
    until: "2026-11-20T09:00",
  });
});

test("a range that ends before it starts, or lacks an end, is refused", () => {
  assert.deepEqual(readRange({ since: "2026-11-20T09:00", until: "2026-11-20T08:59" }, BERLIN), {
    errors: { until: "Choose an end after the start." },
  });
  assert.deepEqual(readRange({ since: "2026-11-20T", until: "" }, BERLIN), {
    errors: { since: "Enter a date and a time.", until: "Enter a date and a time." },
  });
});
