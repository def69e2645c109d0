import assert from "node:assert/strict";
import { test } from "node:test";
import { originalFunction } from "./function-names.ts";
import type { FoundPosition } from "./map-task.ts";

const PLACE = { line: 1, column: 1, source: "a.ts", hasText: true, containsSentName: true, lines: null };
const calling = (called: string | null): FoundPosition => ({ ...PLACE, name: null, called });

test("the name of a function is what its caller calls", () => {
  assert.equal(originalFunction("t", calling(null), calling("total")), "total");
});

test("a name that was sent with its class is kept", () => {
  assert.equal(originalFunction("Cart.total", calling(null), calling("total")), "Cart.total");
});

for (const called of ["apply", "call", "bind"])
  test(`a caller that uses ${called} does not name the function`, () => {
    assert.equal(originalFunction("placeOrder", calling(null), calling(called)), "placeOrder");
    assert.equal(originalFunction("t", calling(null), calling(called)), null);
  });
