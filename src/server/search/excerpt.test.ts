import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOfMarkdown } from "./excerpt.ts";

test("an excerpt has no syntax of lists, however they are indented", async () => {
  for (const text of ["Buy:\n\n- milk", "Buy:\n\n  1. milk", "Buy:\n\n + milk"])
    assert.match(await excerptOfMarkdown(text, ["milk"]), /^Buy: (?:· )?milk$/);
});

test("the excerpt of a text with many blank lines takes linear time", async () => {
  const start = process.cpuUsage();
  for (const blank of ["\n", "\n ", "\r\n", "\u2028", " ", "\t"])
    await excerptOfMarkdown(`milk${blank.repeat(200_000)}end`, ["milk"]);
  const { user, system } = process.cpuUsage(start);
  // This takes milliseconds; in quadratic time, it would take half a minute.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1_000} ms`);
});
