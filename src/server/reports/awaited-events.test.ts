import assert from "node:assert/strict";
import { test } from "node:test";
import type { Db } from "../db/connect.ts";
import { expectEvent, countRemembered, isAwaited } from "./awaited-events.ts";

test("an awaited event is forgotten after ten seconds, even if another one is named again and again", (t) => {
  const db = {} as Db;
  let now = 0;
  t.mock.method(performance, "now", () => now);
  expectEvent(db, 1, "again");
  for (; now < 60_000; now += 1_000) {
    expectEvent(db, 1, `once ${now}`);
    expectEvent(db, 1, "again");
  }
  assert.equal(isAwaited(db, null, 1, "again"), true);
  assert.equal(isAwaited(db, null, 1, "once 55000"), true);
  assert.equal(isAwaited(db, null, 1, "once 45000"), false);
  assert.ok(countRemembered(db) <= 12, String(countRemembered(db)));
});

test("an awaited event is forgotten after ten seconds without further reports", (t) => {
  const db = {} as Db;
  let now = 0;
  t.mock.method(performance, "now", () => now);
  expectEvent(db, 1, "id");
  now = 9_999;
  assert.equal(isAwaited(db, null, 1, "id"), true);
  now = 10_000;
  assert.equal(isAwaited(db, null, 1, "id"), false);
});
