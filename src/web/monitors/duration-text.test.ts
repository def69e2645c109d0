import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText } from "./duration-text.ts";

test("a duration is written with its two largest units", () => {
  const texts = [
    [0, "0 s"],
    [0.253, "0.25 s"],
    [42.55, "42.5 s"],
    [60, "1 min"],
    [95.4, "1 min 35 s"],
    [3_599.7, "1 h"],
    [7_260, "2 h 1 min"],
  ] as const;
  for (const [seconds, text] of texts) assert.equal(durationText(seconds), text, String(seconds));
});
