import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ShortCache, CACHED_MS } from "./short-cache.ts";

function open() {
  let now = 0;
  let reads = 0;
  let answer: () => Promise<string | undefined> = async () => `read ${reads}`;
  const fresh = new ShortCache<string>(() => now);
  return {
    fresh,
    get: () =>
      fresh.get("key", () => {
        reads++;
        return answer();
      }),
    at: (ms: number) => (now = ms),
    answerWith: (next: typeof answer) => (answer = next),
    get reads() {
      return reads;
    },
  };
}

test("concurrent requests share a read, and its value is cached for a second", async () => {
  const { fresh, get, at } = open();
  assert.equal(fresh.known("key"), undefined);
  assert.deepEqual(await Promise.all([get(), get()]), ["read 1", "read 1"]);
  at(CACHED_MS - 1);
  assert.equal(await get(), "read 1");
  at(CACHED_MS);
  assert.equal(fresh.known("key"), undefined);
  assert.equal(await get(), "read 2");
});

test("a value in use is refreshed once before it expires, and the old one is used meanwhile", async () => {
  const cache = open();
  await cache.get();
  cache.at(CACHED_MS / 2 - 1);
  cache.fresh.known("key");
  assert.equal(cache.reads, 1);
  cache.at(CACHED_MS / 2);
  assert.deepEqual([cache.fresh.known("key"), cache.fresh.known("key")], ["read 1", "read 1"]);
  assert.equal(cache.reads, 2);
  await turn();
  cache.at(CACHED_MS + 1);
  assert.equal(cache.fresh.known("key"), "read 2");
});

test("if the refresh fails, the value is used until a second after it was read", async () => {
  const { fresh, get, at, answerWith } = open();
  await get();
  answerWith(() => Promise.reject(new Error("no database")));
  at(CACHED_MS - 1);
  assert.equal(fresh.known("key"), "read 1");
  await turn();
  assert.equal(fresh.known("key"), "read 1");
  await turn();
  at(CACHED_MS);
  assert.equal(fresh.known("key"), undefined);
  await assert.rejects(get(), { message: "no database" });
});

test("a value that no longer exists is removed from the cache by the next refresh", async () => {
  const { fresh, get, at, answerWith } = open();
  await get();
  answerWith(async () => undefined);
  at(CACHED_MS / 2);
  fresh.known("key");
  await turn();
  assert.equal(fresh.known("key"), undefined);
});
