import assert from "node:assert/strict";
import { test } from "node:test";
import { tagChoices } from "./tag-choices.ts";

const TAGS = [
  {
    key: "payment",
    values: [
      { value: "card", error_groups: 12 },
      { value: "cash", error_groups: 1 },
    ],
  },
  { key: "locale", values: [{ value: "de", error_groups: 3 }] },
];

const offered = (picking: { text?: string; key?: string; value?: string }) =>
  tagChoices(TAGS, { text: "", key: undefined, value: "", ...picking }).map(({ label }) => label);

test("keys are offered first, after the tag of the filter", () => {
  assert.deepEqual(offered({}), ["payment", "locale"]);
  assert.deepEqual(offered({ value: "payment:card" }), ["payment:card", "payment", "locale"]);
  assert.deepEqual(offered({ text: "LOC" }), ["locale"]);
});

test("the values of a key are offered once it is chosen, and another one can be typed", () => {
  assert.deepEqual(offered({ key: "payment" }), ["card", "cash"]);
  assert.deepEqual(offered({ key: "payment", text: "car" }), ["card", "payment:car"]);
  assert.deepEqual(offered({ key: "payment", text: "card" }), ["card"]);
});

test("a tag that is typed with its key is offered even if no error has it", () => {
  assert.deepEqual(offered({ text: "payment:c" }), ["payment:card", "payment:cash", "payment:c"]);
  assert.deepEqual(offered({ text: "nothing" }), ["nothing"]);
});
