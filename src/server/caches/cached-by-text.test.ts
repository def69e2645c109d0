import assert from "node:assert/strict";
import { test } from "node:test";
import { cachedByText } from "./cached-by-text.ts";

function counted<Value>(maxCharacters: number, compute: (text: string) => Value) {
  const computed: string[] = [];
  const find = cachedByText(maxCharacters, (text) => {
    computed.push(text);
    return compute(text);
  });
  return { find, computed };
}

test("a value is computed once, also if it is undefined", () => {
  const { find, computed } = counted(100, (text) => (text === "none" ? undefined : text.length));
  assert.deepEqual(["four", "none", "four", "none"].map(find), [4, undefined, 4, undefined]);
  assert.deepEqual(computed, ["four", "none"]);
});

test("an error is thrown each time and not remembered", () => {
  const { find, computed } = counted(100, () => {
    throw new Error("invalid");
  });
  assert.throws(() => find("a"), /invalid/);
  assert.throws(() => find("a"), /invalid/);
  assert.equal(computed.length, 2);
});

test("texts that were not used lately are forgotten above the limit", () => {
  const { find, computed } = counted(100, (text) => text);
  for (let n = 0; n < 20; n++) find(String(n).padStart(10, "0"));
  find("0".repeat(10));
  assert.equal(computed.length, 21);
  find("0".repeat(10));
  assert.equal(computed.length, 21);
});
