import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { CACHED_MS, CachedLookup, CachedLookups } from "./cached-lookup.ts";

/** A lookup of one item, whose values are "read 1", "read 2", and so on until `answerWith` is called. */
function open(item = "key") {
  let now = 0;
  let reads = 0;
  let answer: () => Promise<string | undefined> = async () => `read ${reads}`;
  const read = () => {
    reads++;
    return answer();
  };
  const lookup = new CachedLookup<string, string>(read, { now: () => now });
  return {
    lookup,
    known: () => lookup.known(item),
    get: () => lookup.get(item),
    at: (ms: number) => (now = ms),
    answerWith: (next: typeof answer) => (answer = next),
    get reads() {
      return reads;
    },
  };
}

test("concurrent requests share a read, and its value is cached for a second", async () => {
  const { known, get, at } = open();
  assert.equal(known(), undefined);
  assert.deepEqual(await Promise.all([get(), get()]), ["read 1", "read 1"]);
  at(CACHED_MS - 1);
  assert.equal(await get(), "read 1");
  at(CACHED_MS);
  assert.equal(known(), undefined);
  assert.equal(await get(), "read 2");
});

test("a value in use is refreshed once before it expires, and the old one is used meanwhile", async () => {
  const cache = open();
  await cache.get();
  cache.at(CACHED_MS / 2 - 1);
  cache.known();
  assert.equal(cache.reads, 1);
  cache.at(CACHED_MS / 2);
  assert.deepEqual([cache.known(), cache.known()], ["read 1", "read 1"]);
  assert.equal(cache.reads, 2);
  await turn();
  cache.at(CACHED_MS + 1);
  assert.equal(cache.known(), "read 2");
});

test("if the refresh fails, the value is used until a second after it was read", async () => {
  const { known, get, at, answerWith } = open();
  await get();
  answerWith(() => Promise.reject(new Error("no database")));
  at(CACHED_MS - 1);
  assert.equal(known(), "read 1");
  await turn();
  assert.equal(known(), "read 1");
  await turn();
  at(CACHED_MS);
  assert.equal(known(), undefined);
  await assert.rejects(get(), { message: "no database" });
});

test("a value that no longer exists is removed from the cache by the next refresh", async () => {
  const { known, get, at, answerWith } = open();
  await get();
  answerWith(async () => undefined);
  at(CACHED_MS / 2);
  known();
  await turn();
  assert.equal(known(), undefined);
});

test("that an item has no value is cached for a second", async () => {
  const cache = open();
  cache.answerWith(async () => undefined);
  assert.equal(await cache.get(), undefined);
  cache.answerWith(async () => "created");
  cache.at(CACHED_MS - 1);
  assert.equal(await cache.get(), undefined);
  cache.at(CACHED_MS);
  assert.equal(await cache.get(), "created");
});

test("that a very long key has no value is not cached", async () => {
  const cache = open("x".repeat(101));
  cache.answerWith(async () => undefined);
  await cache.get();
  cache.answerWith(async () => "created");
  assert.equal(await cache.get(), "created");
});

test("many items without a value do not remove the values of others", async () => {
  const lookup = new CachedLookup<number, string>(async (n) => (n === 0 ? "value" : undefined), {
    now: () => 0,
  });
  await lookup.get(0);
  for (let n = 1; n <= 10_001; n++) await lookup.get(n);
  assert.equal(lookup.known(0), "value");
});

test("after lookups are forgotten, no request uses their values or a read that began before", async () => {
  const lookups = new CachedLookups();
  const [cached, reading] = [open(), open()].map((cache) => ({
    ...cache,
    lookup: lookups.add(cache.lookup),
  }));
  assert.ok(cached && reading);
  await cached.get();
  const before = Promise.withResolvers<string>();
  reading.answerWith(() => before.promise);
  const outdated = reading.get();
  lookups.forget();
  assert.equal(cached.known(), undefined);
  assert.equal(await cached.get(), "read 2");
  reading.answerWith(async () => "new");
  assert.equal(await reading.get(), "new");
  before.resolve("outdated");
  assert.equal(await outdated, "outdated");
  assert.equal(await reading.get(), "new");
});
