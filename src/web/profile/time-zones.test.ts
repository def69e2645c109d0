import assert from "node:assert/strict";
import { test } from "node:test";
import { timeZoneChoices } from "./time-zones.ts";

test("zones are listed by place, with the current offset from UTC", () => {
  const all = timeZoneChoices("UTC", new Date("2026-07-01T12:00:00Z"));
  assert.deepEqual(
    all.find(({ value }) => value === "America/New_York"),
    { value: "America/New_York", label: "America/New York", hint: "GMT-04:00" },
  );
  const winter = timeZoneChoices("UTC", new Date("2026-01-01T12:00:00Z"));
  assert.equal(winter.find(({ value }) => value === "Europe/Berlin")?.hint, "GMT+01:00");
});

test("the current zone is listed once, even if the browser does not list it", () => {
  const all = timeZoneChoices("Moon/Crater", new Date());
  assert.equal(all.filter(({ value }) => value === "Moon/Crater").length, 1);
  assert.equal(all.filter(({ value }) => value === "UTC").length, 1);
});
