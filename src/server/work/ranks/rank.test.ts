import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rankBetween, ranksBehind } from "./rank.ts";

/** Compares like PostgreSQL with the collation "C". */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test("a new rank sorts between its neighbors byte by byte, at every position of a list", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 300 }), (places) => {
      const ranks: string[] = [];
      for (const place of places) {
        const at = place % (ranks.length + 1);
        ranks.splice(at, 0, rankBetween(ranks[at - 1] ?? null, ranks[at] ?? null));
      }
      assert.deepEqual([...ranks].sort(byBytes), ranks);
      assert.equal(new Set(ranks).size, ranks.length);
    }),
    { numRuns: 100 },
  );
});

test("a list that grows only at its ends keeps short ranks", () => {
  let [first, last] = [rankBetween(null, null), rankBetween(null, null)];
  for (let n = 0; n < 10_000; n++) [first, last] = [rankBetween(null, first), rankBetween(last, null)];
  assert.ok(first.length <= 4 && last.length <= 4, `${first} ${last}`);
});

test("ten thousand inserts into the same gap lengthen the rank by one character per five inserts", () => {
  for (const side of ["above", "below"]) {
    let [low, high] = [rankBetween(null, null), rankBetween(rankBetween(null, null), null)];
    for (let n = 0; n < 10_000; n++) {
      const rank = rankBetween(low, high);
      assert.ok(byBytes(low, rank) < 0 && byBytes(rank, high) < 0);
      if (side === "above") high = rank;
      else low = rank;
    }
    assert.ok(Math.max(low.length, high.length) < 2_100);
  }
});

test("ranksBehind returns ascending ranks behind the given one", () => {
  const ranks = ranksBehind("a1", 100);
  assert.equal(ranks.length, 100);
  assert.deepEqual(["a1", ...ranks].sort(byBytes), ["a1", ...ranks]);
  assert.equal(new Set(ranks).size, 100);
  assert.deepEqual(ranksBehind(null, 0), []);
  assert.deepEqual(ranksBehind(null, 1), [rankBetween(null, null)]);
});

test("equal or reversed neighbors throw", () => {
  assert.throws(() => rankBetween("a1", "a1"), /does not stand before/);
  assert.throws(() => rankBetween("a1", "a0"), /does not stand before/);
});
