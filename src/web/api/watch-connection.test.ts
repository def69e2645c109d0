import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { fetchResponse } from "./client.ts";
import { watchConnection } from "./watch-connection.ts";

let isReachable: boolean;
let shown: boolean[];
let page: EventTarget;
let connection: ReturnType<typeof watchConnection>;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  isReachable = true;
  shown = [];
  page = new EventTarget();
  connection = watchConnection({
    onChange: (isLost) => shown.push(isLost),
    ask: async () => isReachable,
    page,
  });
});
afterEach(() => connection.close());

/** Passes time, and lets the answers that are due arrive. */
async function pass(ms: number) {
  mock.timers.tick(ms);
  await new Promise(setImmediate);
}

test("a lost connection is shown after four seconds, and no longer once the server answers", async () => {
  isReachable = false;
  connection.failed();
  await pass(3_999);
  assert.deepEqual(shown, []);
  await pass(1);
  assert.deepEqual(shown, [true]);
  for (let n = 0; n < 10; n++) {
    connection.failed();
    await pass(2_000);
  }
  isReachable = true;
  await pass(2_000);
  assert.deepEqual(shown, [true, false]);
  await pass(60_000);
  assert.deepEqual(shown, [true, false]);
});

test("a shorter interruption is not shown", async () => {
  isReachable = false;
  connection.failed();
  await pass(3_000);
  connection.answered();
  await pass(60_000);
  assert.deepEqual(shown, []);
});

test("a refused stream is not shown as a lost connection while the server answers", async () => {
  for (let n = 0; n < 10; n++) {
    connection.failed();
    await pass(4_000);
  }
  assert.deepEqual(shown, []);
});

test("when the browser goes offline or online, the server is asked at once", async () => {
  page.dispatchEvent(new Event("offline"));
  await pass(0);
  assert.deepEqual(shown, [], "the server is on this computer");
  isReachable = false;
  page.dispatchEvent(new Event("offline"));
  await pass(0);
  assert.deepEqual(shown, [true]);
  isReachable = true;
  page.dispatchEvent(new Event("online"));
  await pass(0);
  assert.deepEqual(shown, [true, false]);
});

test("an answer that arrives just after the browser went offline does not hide the lost connection", async () => {
  isReachable = false;
  page.dispatchEvent(new Event("offline"));
  connection.answered();
  await pass(0);
  assert.deepEqual(shown, [true]);
});

test("while the browser is offline, a server that still answers is asked again until it does not", async () => {
  page.dispatchEvent(new Event("offline"));
  await pass(0);
  connection.answered();
  await pass(2_000);
  assert.deepEqual(shown, []);
  isReachable = false;
  await pass(2_000);
  assert.deepEqual(shown, [true]);
});

test("the answer to any request ends the notice, unless it comes from a proxy whose server is away", async (t) => {
  isReachable = false;
  page.dispatchEvent(new Event("offline"));
  await pass(0);
  for (const [status, expected] of [
    [502, [true]],
    [404, [true, false]],
  ] as const) {
    t.mock.method(globalThis, "fetch", async () => new Response("", { status }));
    await fetchResponse("/api/projects", {});
    assert.deepEqual(shown, expected);
  }
});

test("requests that fail are shown like a lost stream", async (t) => {
  isReachable = false;
  t.mock.method(globalThis, "fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  await assert.rejects(fetchResponse("/api/projects", {}));
  await pass(4_000);
  assert.deepEqual(shown, [true]);
});
