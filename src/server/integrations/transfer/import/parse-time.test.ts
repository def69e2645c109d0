import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTime } from "./parse-time.ts";

const SERVER_ZONES = ["UTC", "America/New_York", "Asia/Tokyo"];

for (const [text, iso] of [
  ["2026-11-05", "2026-11-05T00:00:00.000Z"],
  ["2026-11-05T10:00:00", "2026-11-05T10:00:00.000Z"],
  ["2026-11-05T10:00:00.123456Z", "2026-11-05T10:00:00.123Z"],
  ["2026-11-05T10:00:00.123456", "2026-11-05T10:00:00.123Z"],
  ["2026-11-05 10:00", "2026-11-05T10:00:00.000Z"],
  ["2026-11-05 10:00:30 UTC", "2026-11-05T10:00:30.000Z"],
  ["2026-11-05T10:00:00+02:00", "2026-11-05T08:00:00.000Z"],
  ["2026-11-05 10:00:00 +0200", "2026-11-05T08:00:00.000Z"],
  ["11/05/2026", "2026-11-05T00:00:00.000Z"],
  ["11-05-2026", "2026-11-05T00:00:00.000Z"],
  ["Nov 5, 2026 3:04 PM", "2026-11-05T15:04:00.000Z"],
  ["Thu Nov 05 2026 10:00:00 GMT+0100 (CET)", "2026-11-05T09:00:00.000Z"],
  ["Thu, 05 Nov 2026 10:00:00 EST", "2026-11-05T15:00:00.000Z"],
] as const)
  test(`${text} is the same time in every zone of the server`, (context) => {
    const before = process.env["TZ"];
    context.after(() => {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    });
    for (const zone of SERVER_ZONES) {
      process.env["TZ"] = zone;
      assert.equal(new Date(parseTime(text)).toISOString(), iso, zone);
    }
  });

test("what is no time is not a number", () => {
  for (const text of ["", "yesterday", "2026-13-45"]) assert.equal(parseTime(text), Number.NaN);
});
