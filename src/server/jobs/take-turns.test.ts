import assert from "node:assert/strict";
import { test } from "node:test";
import { takeTurns } from "./take-turns.ts";

test("work waits until earlier work has ended, even if that fails", async () => {
  const inTurn = takeTurns(600_000);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = inTurn(() => first.promise);
  const second = inTurn(async () => void order.push("second"));
  order.push("first ends");
  first.reject(new Error("no database"));
  await assert.rejects(failing, /no database/);
  await second;
  assert.deepEqual(order, ["first ends", "second"]);
});

test("work that takes long does not delay the rest", async () => {
  const inTurn = takeTurns(1);
  const long = Promise.withResolvers<void>();
  const running = inTurn(() => long.promise);
  await inTurn(async () => {});
  long.resolve();
  await running;
});
