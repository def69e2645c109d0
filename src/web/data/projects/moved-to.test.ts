import assert from "node:assert/strict";
import { test } from "node:test";
import { movedTo } from "./moved-to.ts";

const lanes = ["a", "b", "c", "d"];
const move = (item: string, index: number) => movedTo(lanes, (one) => one === item, index).join("");

test("an item moves to its index from either direction", () => {
  assert.equal(move("a", 2), "bcad");
  assert.equal(move("d", 0), "dabc");
  assert.equal(move("b", 3), "acdb");
  assert.equal(move("c", 2), "abcd");
});

test("moving an item that is gone changes nothing", () => {
  assert.equal(move("x", 1), "abcd");
});
