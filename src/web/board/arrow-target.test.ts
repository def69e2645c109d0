import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowTarget } from "./arrow-target.ts";

const lists = [
  { id: "todo", name: "To do", items: ["a", "b", "c"] },
  { id: "doing", name: "In progress", items: [] },
  { id: "review", name: "In review", items: ["d", "e"] },
];

test("arrow keys go to the card above, below, or at the same height in the next lane that has cards", () => {
  const cases: [string, string, string | undefined][] = [
    ["a", "ArrowUp", undefined],
    ["b", "ArrowUp", "a"],
    ["b", "ArrowDown", "c"],
    ["c", "ArrowDown", undefined],
    ["a", "ArrowRight", "d"],
    ["c", "ArrowRight", "e"],
    ["d", "ArrowRight", undefined],
    ["e", "ArrowLeft", "b"],
    ["a", "ArrowLeft", undefined],
  ];
  for (const [id, key, expected] of cases)
    assert.equal(arrowTarget(lists, id, key), expected, `${id} ${key}`);
});
