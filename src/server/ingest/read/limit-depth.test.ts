import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { limitDepth } from "./limit-depth.ts";

test("values that fit are returned as they are, and the same as beside one that does not fit", () => {
  const key = fc.constantFrom("a", "\0", "\ud800", "__proto__", "k".repeat(300), "k".repeat(301), "1", "0");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(
        null,
        7,
        true,
        "",
        "\0",
        "\u{1f600}",
        "x\udc00",
        "t".repeat(16_384),
        "t".repeat(16_385),
      ),
      fc.array(tie("value")),
      fc.array(fc.tuple(key, tie("value"))).map((entries) => Object.fromEntries(entries) as object),
    ),
  }));
  fc.assert(
    fc.property(value, (sent) => {
      const alone = limitDepth([sent]) as unknown[];
      const [copied] = limitDepth([sent, "\0"]) as unknown[];
      assert.equal(JSON.stringify(alone), JSON.stringify([copied]));
      assert.equal(alone[0] === sent || JSON.stringify(sent) !== JSON.stringify(copied), true);
    }),
    { numRuns: 1_000 },
  );
});

test("lists, objects and their depth are limited", () => {
  assert.equal((limitDepth(Array(501).fill(1)) as unknown[]).length, 500);
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`k${n}`, n]));
  assert.equal(Object.keys(limitDepth(many) as object).length, 500);
  const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;
  assert.equal(JSON.stringify(limitDepth(nested(10))), "[[[[[[[[[[]]]]]]]]]]");
  assert.equal(JSON.stringify(limitDepth(nested(20_000))), '[[[[[[[[[["[nested too deeply]"]]]]]]]]]]');
});
