import assert from "node:assert/strict";
import { test } from "node:test";
import { readFeedback } from "./read-feedback.ts";

const read = (text: string) => {
  const feedback = { message: text, name: text, contact_email: text };
  return readFeedback({ contexts: { feedback }, release: text }, undefined, {
    secret: Buffer.alloc(32),
    userAgent: undefined,
  });
};

test("control characters in a name and the blanks around them become one blank", () => {
  assert.equal(read(" Ada \t\n  Moss\u0001\u0002of  Acme ")?.author_name, "Ada Moss of  Acme");
});

test("feedback of long runs of blanks and control characters takes linear time", () => {
  const start = process.cpuUsage();
  for (const part of [" ", "\u0001", " \u0001", "\n", "@", " a"]) read(`a${part.repeat(200_000)}b`);
  const { user, system } = process.cpuUsage(start);
  // It takes milliseconds. In quadratic time, a run of 200,000 takes a minute.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1_000} ms`);
});
