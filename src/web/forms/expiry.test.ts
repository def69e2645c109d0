import assert from "node:assert/strict";
import { test } from "node:test";
import { expiresAt, isExpired } from "./expiry.ts";

const now = Date.parse("2026-11-20T10:00:00Z");

test("a lifetime is counted in days from now", () => {
  assert.equal(expiresAt("30", now), "2026-12-20T10:00:00.000Z");
  assert.equal(expiresAt("never", now), null);
});

test("a token is expired from its expiry on, and never without one", () => {
  assert.equal(isExpired({ expires_at: "2026-11-20T10:00:00.000000Z" }, now), true);
  assert.equal(isExpired({ expires_at: "2026-11-20T10:00:01.000000Z" }, now), false);
  assert.equal(isExpired({ expires_at: null }, now), false);
});
