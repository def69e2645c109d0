import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { fakeEventSources } from "../../../test/support/fake-event-source.ts";
import { openSource } from "./live-source.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function openFake() {
  const { connections, connectTo } = fakeEventSources();
  const log: string[] = [];
  const close = openSource(
    "/api/events",
    {
      open: (missedChanges) => log.push(missedChanges ? "open, missed changes" : "open"),
      lost: (isRejected) => log.push(isRejected ? "rejected" : "lost"),
      message: (data) => log.push(data),
      reset: () => log.push("reset"),
    },
    connectTo,
  );
  return { connections, log, close, latest: () => connections.at(-1)! };
}

test("events of the stream are passed on", () => {
  const { log, latest } = openFake();
  latest().open();
  latest().send({ id: 1 });
  latest().reset();
  assert.equal(latest().url, "/api/events");
  assert.deepEqual(log, ["open", '{"id":1}', "reset"]);
});

test("after a lost connection the browser reconnects, and no changes were missed", () => {
  const { connections, log, latest } = openFake();
  latest().open();
  latest().lose();
  mock.timers.tick(60_000);
  assert.equal(connections.length, 1);
  latest().open();
  assert.deepEqual(log, ["open", "lost", "open"]);
});

test("after a rejection a new connection is opened, and changes were missed", () => {
  const { connections, log, latest } = openFake();
  latest().open();
  latest().reject();
  mock.timers.tick(2_000);
  assert.equal(connections.length, 2);
  latest().open();
  latest().lose();
  latest().open();
  assert.deepEqual(log, ["open", "rejected", "open, missed changes", "lost", "open"]);
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

test("closing ends the stream and cancels a reconnection that is due", () => {
  const { connections, close, latest } = openFake();
  latest().reject();
  close();
  mock.timers.tick(60_000);
  assert.equal(connections.length, 1);
  assert.equal(latest().readyState, 2);
});
