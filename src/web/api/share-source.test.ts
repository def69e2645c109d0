import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { fakeBrowser } from "../../../test/support/fake-event-source.ts";
import { shareSource } from "./share-source.ts";

/** How soon a tab must take over. */
const TAKEN_OVER_MS = 2_000;

let browser: ReturnType<typeof fakeBrowser>;
let closing: (() => void)[] = [];
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  browser = fakeBrowser();
});
afterEach(() => {
  for (const close of closing) close();
  closing = [];
});

/** Opens a tab and waits until it has joined the others or opened the stream. */
function openTab(userId = 1) {
  const tab = browser.openTab();
  const log: string[] = [];
  const source = shareSource(
    userId,
    (signal) => log.push(signal.type === "change" ? signal.data : signal.type),
    tab.browser,
  );
  closing.push(source.close);
  mock.timers.tick(200);
  return { ...tab, ...source, log };
}

const stream = () => {
  const [source, ...others] = browser.open();
  assert.deepEqual([source !== undefined, others.length], [true, 0], "there must be one stream");
  return source!;
};

/** Passes time in small steps, so that timers that set timers run when they are due. */
function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += 10) mock.timers.tick(10);
}

test("ten tabs share one stream, and each receives every change", () => {
  const tabs = Array.from({ length: 10 }, () => openTab());
  stream().open();
  stream().send({ id: 1 }, "1.1:1:");
  for (const { log } of tabs) assert.deepEqual(log, ["open", '{"id":1}']);
  pass(60_000);
  assert.equal(browser.connections.length, 2, "only the silent stream was replaced");
});

test("a tab that opens later receives the state of the stream", () => {
  openTab();
  stream().open();
  assert.deepEqual(openTab().log, ["open"]);
  stream().lose();
  assert.deepEqual(openTab().log, ["lost"]);
});

test("a tab that opens later receives the changes since its page began to load, and others do not again", () => {
  const first = openTab();
  stream().open();
  stream().send({ id: 1 });
  mock.timers.tick(6_000);
  stream().send({ id: 2 });
  assert.deepEqual(openTab().log, ["open", '{"id":2}']);
  assert.deepEqual(first.log, ["open", '{"id":1}', '{"id":2}']);
});

test("when the tab with the stream closes, another continues after the last event", () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  stream().open();
  stream().heartbeat("1.7:7:");
  first.send("pagehide");
  pass(TAKEN_OVER_MS);
  assert.equal(stream().url, "/api/events?user_id=1&after=1.7%3A7%3A");
  stream().open();
  stream().send({ id: 1 });
  for (const { log } of [second, third]) assert.ok(log.includes('{"id":1}'));
});

for (const [what, silence] of [
  ["crashes or hangs", "hang"],
  ["is frozen", "freeze"],
] as const)
  test(`when the tab with the stream ${what}, another takes over within two seconds`, () => {
    const [first, second] = [openTab(), openTab()];
    stream().open();
    if (silence === "hang") first.hang();
    else first.send("freeze");
    const before = browser.connections.length;
    pass(TAKEN_OVER_MS);
    assert.equal(browser.connections.length, before + 1);
    browser.connections.at(-1)!.open();
    browser.connections.at(-1)!.send({ id: 1 });
    assert.ok(second.log.includes('{"id":1}'));
  });

test("a tab that hung while another took over closes its stream when it is back", () => {
  const [first, second] = [openTab(), openTab()];
  stream().open();
  first.hang();
  pass(TAKEN_OVER_MS);
  assert.equal(browser.open().length, 2);
  first.wake();
  stream().open();
  stream().send({ id: 1 });
  for (const { log } of [first, second]) assert.equal(log.at(-1), '{"id":1}');
});

test("if a new tab does not hear of the stream and opens another, one is closed and no change is missed", () => {
  const first = openTab();
  stream().open();
  stream().heartbeat("1.7:7:");
  first.hang();
  const second = openTab();
  first.wake();
  pass(TAKEN_OVER_MS);
  // Only the first knows a position. If it loses its stream to the second, it must load everything.
  const isReset = first.log.includes("reset");
  assert.equal(isReset, !stream().url.includes("1.7") && browser.connections[0]!.isClosed);
  stream().send({ id: 1 });
  for (const { log } of [first, second]) assert.equal(log.at(-1), '{"id":1}');
});

test("a new tab that opens a stream and then follows a busy one receives the changes since its page began to load", (t) => {
  // The tab with the lower number keeps its stream.
  let number = 0.1;
  t.mock.method(Math, "random", () => number);
  const first = openTab();
  stream().open();
  stream().send({ id: 1 }, "1.1:1:");
  first.hang();
  number = 0.9;
  const second = openTab();
  assert.equal(browser.open().length, 2);
  first.wake();
  pass(TAKEN_OVER_MS);
  assert.equal(stream(), browser.connections[0]);
  assert.deepEqual(
    second.log.filter((entry) => entry !== "open"),
    ['{"id":1}'],
  );
});

test("a page leaves the stream when it enters the back/forward cache, and is reset when it is back with others", () => {
  const page = openTab();
  stream().open();
  page.send("pageshow");
  page.send("pagehide");
  assert.deepEqual(browser.open(), []);
  const other = openTab();
  stream().open();
  page.send("pageshow");
  page.send("resume");
  stream().send({ id: 1 });
  assert.deepEqual(page.log, ["open", "reset", '{"id":1}']);
  assert.deepEqual(other.log, ["open", '{"id":1}']);
});

test("a page that is back from the back/forward cache alone continues after the last event, or is reset", () => {
  const page = openTab();
  stream().open();
  page.send("pagehide");
  page.send("pageshow");
  pass(200);
  stream().open();
  assert.deepEqual(page.log, ["open", "open", "reset"]);
  stream().heartbeat("1.7:7:");
  page.send("pagehide");
  page.send("pageshow");
  pass(200);
  stream().open();
  assert.match(stream().url, /&after=1\.7%3A7%3A$/);
  assert.deepEqual(page.log, ["open", "open", "reset", "heartbeat", "open"]);
});

test("tabs of different users never share a stream, and notice each other", () => {
  const ada = openTab(1);
  const bob = openTab(2);
  assert.deepEqual(
    browser.open().map(({ url }) => url),
    ["/api/events?user_id=1&recent=5", "/api/events?user_id=2&recent=5"],
  );
  for (const source of browser.open()) source.open();
  browser.open()[0]!.send({ id: 1 });
  browser.open()[1]!.send({ id: 2 });
  assert.deepEqual(ada.log, ["account", "open", '{"id":1}']);
  assert.deepEqual(
    bob.log.filter((entry) => entry !== "account"),
    ["open", '{"id":2}'],
  );
});

test("a tab without the stream can make the one with it connect again", () => {
  openTab();
  const second = openTab();
  stream().open();
  pass(1_000);
  second.retry();
  assert.equal(browser.connections.length, 2);
  stream();
});
