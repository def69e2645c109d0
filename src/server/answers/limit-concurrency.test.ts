import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError } from "./errors.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

test("a call above the limit returns 503 with Retry-After, and the next one runs when another has ended", async () => {
  const limited = limitConcurrency(2, 30);
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = [limited(() => promise), limited(() => promise)];
  await assert.rejects(
    limited(async () => "third"),
    (error) => error instanceof HttpError && error.status === 503 && error.headers["retry-after"] === "30",
  );
  resolve("done");
  assert.deepEqual(await Promise.all(running), ["done", "done"]);
  assert.equal(await limited(async () => "fourth"), "fourth");
});

test("a call that fails makes room for another", async () => {
  const limited = limitConcurrency(1);
  await assert.rejects(
    limited(() => Promise.reject(new Error("broken"))),
    /broken/,
  );
  assert.equal(await limited(async () => "next"), "next");
});
