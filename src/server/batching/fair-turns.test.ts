import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError } from "../answers/errors.ts";
import { FairTurns } from "./fair-turns.ts";

/** Turns, and the order in which they start. Each ends when `next` is called. */
function makeTurns(maxWaitMs = 60_000) {
  const turns = new FairTurns({ maxWaitMs, retryAfter: 10 });
  const started: string[] = [];
  let end = () => {};
  const take = (project: string, credential: string, signal = new AbortController().signal) =>
    turns.run({ project, credential, signal }, () => {
      started.push(`${project}:${credential}`);
      return new Promise<void>((resolve) => (end = resolve));
    });
  const next = async () => {
    await new Promise(setImmediate);
    end();
  };
  return { take, next, started };
}

const isBusy = (error: unknown) =>
  error instanceof HttpError && error.status === 503 && error.headers["retry-after"] === "10";

test("projects take turns, and the credentials of a project among themselves", async () => {
  const { take, next, started } = makeTurns();
  const taken = [
    ...Array.from({ length: 4 }, () => take("A", "flood")),
    ...Array.from({ length: 2 }, () => take("A", "other")),
    ...Array.from({ length: 2 }, () => take("B", "one")),
  ];
  for (let n = 0; n < taken.length; n++) await next();
  await Promise.all(taken);
  assert.deepEqual(started, [
    "A:flood",
    "A:flood",
    "B:one",
    "A:other",
    "B:one",
    "A:flood",
    "A:other",
    "A:flood",
  ]);
});

test("a later caller waits for at most one turn of each other credential", async () => {
  const { take, next, started } = makeTurns();
  const flood = Array.from({ length: 30 }, () => take("A", "flood"));
  await next();
  await next();
  const late = take("B", "late");
  await next();
  await next();
  assert.ok(started.indexOf("B:late") <= 4, started.join());
  for (let n = 0; n < 30; n++) await next();
  await Promise.all([...flood, late]);
});

test("a turn that does not come in time is refused with 503 and Retry-After, and its work never starts", async () => {
  const { take, next, started } = makeTurns(20);
  const first = take("A", "one");
  await assert.rejects(take("A", "two"), isBusy);
  await next();
  await first;
  assert.deepEqual(started, ["A:one"]);
});

test("the work of a client that disconnects while it waits is dropped", async () => {
  const { take, next, started } = makeTurns();
  const first = take("A", "one");
  const abort = new AbortController();
  const dropped = take("A", "gone", abort.signal);
  const last = take("A", "two");
  abort.abort(new Error("disconnected"));
  await assert.rejects(dropped, /disconnected/);
  await assert.rejects(take("A", "gone", abort.signal), /disconnected/);
  await next();
  await next();
  await Promise.all([first, last]);
  assert.deepEqual(started, ["A:one", "A:two"]);
});

test("beyond 200 waiting callers further ones are refused at once, and failed work ends its turn", async () => {
  const turns = new FairTurns({ maxWaitMs: 60_000, retryAfter: 10 });
  const gate = Promise.withResolvers<void>();
  const uploader = { project: "A", credential: "one", signal: new AbortController().signal };
  const failing = turns.run(uploader, () => gate.promise);
  const waiting = Array.from({ length: 200 }, () => turns.run(uploader, async () => "done"));
  await assert.rejects(
    turns.run(uploader, async () => "done"),
    isBusy,
  );
  gate.reject(new Error("broken"));
  await assert.rejects(failing, /broken/);
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["done"]));
});

test("a credential has at most its own number of the places, and a turn that ends goes to one that may have it", async () => {
  const turns = new FairTurns({ maxWaitMs: 60_000, places: 3, placesPerCredential: 2 });
  const started: string[] = [];
  const take = async (credential: string) => {
    const end = await turns.take({ project: "A", credential, signal: new AbortController().signal });
    started.push(credential);
    return end;
  };
  const [first, second] = [await take("one"), await take("one")];
  const third = take("one");
  const other = await take("two");
  assert.deepEqual(started, ["one", "one", "two"]);
  other();
  await new Promise(setImmediate);
  assert.deepEqual(started, ["one", "one", "two"]);
  first();
  for (const end of [second, await third]) end();
  assert.deepEqual(started, ["one", "one", "two", "one"]);
});
