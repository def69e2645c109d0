import assert from "node:assert/strict";
import { test } from "node:test";
import { breadcrumbTime } from "./breadcrumb-time.ts";

test("the time of a breadcrumb may be seconds or a date, and any other text is shown as sent", () => {
  const noon = new Date("2026-03-05T12:04:05Z");
  const local = noon.toLocaleTimeString("en-GB");
  assert.equal(breadcrumbTime(noon.getTime() / 1_000), local);
  assert.equal(breadcrumbTime("2026-03-05T12:04:05Z"), local);
  assert.equal(breadcrumbTime("just before"), "just before");
  assert.equal(breadcrumbTime(1e300), "1e+300");
  assert.equal(breadcrumbTime(null), "");
});
