import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "./turns.ts";

/** Items such as `a1`, whose lane is `a`. */
function queueOf(...items: string[]) {
  const turns = new Turns<string>((item) => item.charAt(0));
  for (const item of items) turns.push(item);
  return {
    turns,
    take: (maxItems: number, maxWeight = Infinity) =>
      turns.take({ maxItems, maxWeight, weigh: () => 1 }).join(" "),
  };
}

const many = (lane: string, count: number) => Array.from({ length: count }, (_, n) => `${lane}${n + 1}`);

test("lanes are served in turn, and each keeps its order", () => {
  const { take } = queueOf("a1", "a2", "a3", "b1", "c1", "c2");
  assert.equal(take(10), "a1 b1 c1 a2 c2 a3");
});

test("while other lanes wait, a lane gets at most half of a batch", () => {
  const { take, turns } = queueOf(...many("a", 20), "b1");
  assert.equal(take(8), "a1 b1 a2 a3 a4");
  assert.deepEqual([turns.size, turns.sizeOf("a"), turns.sizeOf("b")], [16, 16, 0]);
  assert.equal(take(8), many("a", 12).slice(4).join(" "));
});

test("a lane that was not served comes first in the next batch", () => {
  const { take } = queueOf("a1", "a2", "b1", "b2", "c1");
  assert.equal(take(2), "a1 b1");
  assert.equal(take(2), "c1 a2");
  assert.equal(take(2), "b2");
});

test("lanes excluded from a batch keep their items and their turn", () => {
  const { turns } = queueOf("a1", "b1", "b2", "b3", "c1");
  const take = (only: (lane: unknown, count: number) => boolean) =>
    turns.take({ maxItems: 4, maxWeight: Infinity, weigh: () => 1, only }).join(" ");
  assert.equal(
    take((_, count) => count > 1),
    "b1 b2",
    "at most half, because other lanes wait",
  );
  assert.equal(
    take((lane) => lane !== "a"),
    "c1 b3",
  );
  assert.equal(
    take(() => true),
    "a1",
  );
});

test("a batch ends where the next item is too heavy", () => {
  const { take } = queueOf("a1", "b1", "a2");
  assert.equal(take(10, 2), "a1 b1");
  assert.equal(take(10, 0), "a2");
  assert.equal(take(10), "");
});
