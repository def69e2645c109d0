import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { fakeEventSources } from "../../../test/support/fake-event-source.ts";
import { openSource } from "./live-source.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

function openFake(position?: string) {
  const { connections, connectTo } = fakeEventSources();
  const log: string[] = [];
  const source = openSource(
    "/api/events?user_id=1",
    position,
    (signal) => {
      if (signal.type === "lost") log.push(signal.isRejected ? "rejected" : "lost");
      else log.push(signal.type === "change" ? signal.data : signal.type);
    },
    connectTo,
  );
  return { ...source, connections, log, latest: () => connections.at(-1)! };
}

test("events of the stream are passed on", () => {
  const { log, latest } = openFake();
  latest().open();
  latest().send({ id: 1 });
  latest().reset();
  assert.equal(latest().url, "/api/events?user_id=1");
  assert.deepEqual(log, ["open", '{"id":1}', "reset"]);
});

test("after a lost connection the browser reconnects, and no changes were missed", () => {
  const { connections, log, latest } = openFake();
  latest().open();
  latest().heartbeat("1.1:1:");
  latest().lose();
  mock.timers.tick(40_000);
  assert.equal(connections.length, 1);
  latest().open();
  assert.deepEqual(log, ["open", "heartbeat", "lost", "open"]);
});

test("after a rejection a new connection continues after the last event", () => {
  const { connections, log, latest } = openFake();
  latest().open();
  latest().heartbeat("1.1:1:");
  latest().send({ id: 1 });
  latest().reject();
  mock.timers.tick(2_000);
  assert.equal(connections.length, 2);
  assert.equal(latest().url, "/api/events?user_id=1&after=1.1%3A1%3A");
  latest().open();
  assert.deepEqual(log, ["open", "heartbeat", '{"id":1}', "rejected", "open"]);
});

test("a stream that was rejected before its first event may have missed changes", () => {
  const { log, latest } = openFake();
  latest().reject();
  mock.timers.tick(2_000);
  latest().open();
  assert.deepEqual(log, ["rejected", "open", "reset"]);
});

test("the pauses between rejections double up to 30 seconds, and start over after a connection", (t) => {
  t.mock.method(Math, "random", () => 1);
  const { connections, latest } = openFake();
  for (const pause of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = connections.length;
    latest().reject();
    mock.timers.tick(pause - 1);
    assert.equal(connections.length, before);
    mock.timers.tick(1);
    assert.equal(connections.length, before + 1);
  }
  latest().open();
  latest().reject();
  mock.timers.tick(2_000);
  assert.equal(connections.length, 8);
});

test("the shortest pause is half of the longest", (t) => {
  t.mock.method(Math, "random", () => 0);
  const { connections, latest } = openFake();
  latest().reject();
  mock.timers.tick(999);
  assert.equal(connections.length, 1);
  mock.timers.tick(1);
  assert.equal(connections.length, 2);
});

test("a retry connects at once instead of after the pause, but not twice within a second", () => {
  const { connections, latest, retry } = openFake("1.1:1:");
  for (let n = 0; n < 5; n++) latest().reject();
  mock.timers.tick(1_000);
  retry();
  retry();
  assert.equal(connections.length, 2);
  latest().reject();
  mock.timers.tick(2_000);
  assert.equal(connections.length, 3);
});

test("a connection that is silent for 50 seconds is replaced, and heartbeats keep it", () => {
  const { connections, log, latest } = openFake();
  latest().open();
  mock.timers.tick(49_999);
  latest().heartbeat("1.1:1:");
  mock.timers.tick(49_999);
  assert.equal(connections.length, 1);
  mock.timers.tick(1);
  assert.deepEqual(
    connections.map((source) => source.isClosed),
    [true, false],
  );
  assert.deepEqual(log, ["open", "heartbeat", "lost"]);
});

test("closing ends the stream and cancels a reconnection that is due", () => {
  const { connections, close, latest } = openFake();
  latest().reject();
  close();
  mock.timers.tick(60_000);
  assert.equal(connections.length, 1);
  assert.equal(latest().readyState, 2);
});
