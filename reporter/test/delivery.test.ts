import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ErrorEventBody } from "../src/index.ts";
import { closeEarly, halfAnswer, recordingServer, stall, status } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";

test("an error arrives with every field, at the project's address, with the token", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, {
    userHashSecret: "secret",
    framework: { name: "Own", version: "2" },
  });
  const error = Object.assign(new TypeError("broken", { cause: new Error("root") }), { code: "E_BROKEN" });
  reporter.captureError(error, { userId: 42, context: { kind: "route", method: "GET", pattern: "/a/:id" } });
  assert.equal(await reporter.flush(), true);

  const [arrival] = server.arrivals;
  assert.equal(arrival?.path, "/api/projects/7/error-events");
  assert.equal(arrival.authorization, "Bearer token");
  const { stack_trace, memory_peak_bytes, memory_limit_bytes, host, previous_exceptions, ...rest } =
    arrival.body;
  assert.match(stack_trace, /^ {4}at .*delivery\.test\.ts:\d+:\d+/);
  assert.ok(Number(memory_peak_bytes) > 10_000_000 && Number(memory_limit_bytes) > 10_000_000);
  assert.ok(host);
  assert.deepEqual(
    previous_exceptions?.map((one) => [one.exception_class, one.message]),
    [["Error", "root"]],
  );
  assert.deepEqual(rest, {
    environment: "test",
    release: "1.4.2",
    exception_class: "TypeError",
    message: "broken",
    exception_code: "E_BROKEN",
    runtime: { name: "node", version: process.versions.node },
    framework: { name: "Own", version: "2" },
    context: { kind: "route", method: "GET", pattern: "/a/:id" },
    // HMAC-SHA256 of "42" with "secret", computed with OpenSSL.
    user_hash: "93c121e7aa437a1e01e3c512c6f0ce3c821a839025dca4408f85616de4aaee70",
  } satisfies Omit<ErrorEventBody, "stack_trace">);
});

test("a path in the address is kept", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter({ url: `${server.url}/base/` }, { project: "WEB" });
  reporter.captureError(new Error("x"));
  await reporter.flush();
  assert.equal(server.arrivals[0]?.path, "/base/api/projects/WEB/error-events");
});

test("a 429 is retried after its Retry-After, and not before", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "30" }));
  const { reporter, clock } = testReporter(server);
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(), false);
  clock.advance(28_000);
  assert.equal(await reporter.flush(1000), false);
  assert.equal(server.arrivals.length, 1);
  clock.advance(2000);
  assert.equal(await reporter.flush(), true);
  assert.equal(server.arrivals.length, 2);
});

test("a Retry-After that is a date is understood", async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  await using server = await recordingServer(status(503, { "retry-after": date }));
  const { reporter, clock } = testReporter(server);
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(30_000), false);
  clock.advance(61_000);
  assert.equal(await reporter.flush(), true);
});

for (const [what, trouble] of [
  ["a 500", status(500)],
  ["a 503", status(503)],
  ["a connection that closes early", closeEarly],
  ["an answer that is cut off", halfAnswer],
] as const) {
  test(`${what} is retried with growing pauses until it is accepted`, async () => {
    await using server = await recordingServer(trouble, trouble);
    const { reporter, clock, lines } = testReporter(server);
    reporter.captureError(new Error("x"));
    assert.equal(await reporter.flush(400), false);
    clock.advance(500);
    assert.equal((await server.received(2)).length, 2);
    assert.equal(await reporter.flush(900), false);
    clock.advance(1000);
    assert.equal(await reporter.flush(), true);
    assert.deepEqual(new Set(server.events().map((one) => one.message)), new Set(["x"]));
    assert.equal(lines.filter((line) => line.includes("trying again later")).length, 1);
  });
}

test("a server that never answers costs each request its timeout", { timeout: 5000 }, async () => {
  await using server = await recordingServer(stall);
  const { reporter, lines } = testReporter(server, { timeoutMs: 50 });
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(400), false);
  assert.match(lines.join(), /no answer within 50 ms/);
});

test("errors wait while the server refuses connections, and arrive when it is back", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");

  const { reporter } = testReporter({ url: `http://127.0.0.1:${port}` });
  reporter.captureError(new Error("first"));
  reporter.captureError(new Error("second"));
  assert.equal(await reporter.flush(400), false);
  assert.equal(reporter.counts.queued, 2);

  await using server = await recordingServer();
  server.server.close();
  await once(server.server, "close");
  server.server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  assert.equal(await reporter.flush(), true);
  assert.deepEqual(
    server
      .events()
      .map((one) => one.message)
      .sort(),
    ["first", "second"],
  );
});

test("an event refused as too large is sent once more, short", async () => {
  await using server = await recordingServer(status(413));
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("x".repeat(50_000), { cause: new Error("y") }));
  assert.equal(await reporter.flush(), true);
  const [whole, short] = server.events();
  assert.equal(whole?.message.length, 50_000);
  assert.equal(short?.message.length, 4000);
  assert.equal(reporter.counts.sent, 1);
});

test("a server that refuses the newer fields gets the five of the first version", async () => {
  await using server = await recordingServer(status(422));
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("x"), { context: { kind: "command", name: "import" } });
  assert.equal(await reporter.flush(), true);
  assert.deepEqual(Object.keys(server.events()[1] ?? {}).sort(), [
    "environment",
    "exception_class",
    "message",
    "release",
    "stack_trace",
  ]);
});

for (const code of [400, 401, 403, 404]) {
  test(`an event refused with ${code} is not tried again, and said once in the log`, async () => {
    await using server = await recordingServer(status(code), status(code));
    const { reporter, lines } = testReporter(server);
    reporter.captureError(new Error("x"));
    reporter.captureError(new Error("y"));
    assert.equal(await reporter.flush(), true);
    assert.equal(server.arrivals.length, 2);
    assert.deepEqual(reporter.counts, { sent: 0, queued: 0, overBudget: 0, overflowed: 0, refused: 2 });
    assert.deepEqual(lines, [`[signalbox] error refused: ${code} {"message":"no"}`]);
  });
}

test("an event that makes the server fail ten times is given up, and the next one arrives", async () => {
  await using server = await recordingServer(...Array.from({ length: 10 }, () => status(500)));
  const { reporter, clock } = testReporter(server, { timeoutMs: 1000 });
  reporter.captureError(new Error("poison"));
  for (let turn = 0; turn < 9; turn += 1) {
    assert.equal(await reporter.flush(10), false);
    clock.advance(120_000);
  }
  await reporter.flush();
  assert.equal(reporter.counts.refused, 1);
  reporter.captureError(new Error("next"));
  assert.equal(await reporter.flush(), true);
  assert.equal(server.events().at(-1)?.message, "next");
});

test("a full queue drops its oldest events, counts them and says so once", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const { reporter, clock, lines } = testReporter(server, { maxQueued: 3 });
  reporter.captureError(new Error("0"));
  await reporter.flush();
  for (const message of ["1", "2", "3", "4"]) reporter.captureError(new Error(message));
  assert.equal(reporter.counts.overflowed, 2);
  clock.advance(60_000);
  await reporter.flush();
  assert.deepEqual(
    server
      .events()
      .slice(1)
      .map((one) => one.message)
      .sort(),
    ["2", "3", "4"],
  );
  assert.equal(lines.filter((line) => line.includes("queue full")).length, 1);
});

test("huge events do not fill the memory", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const { reporter } = testReporter(server);
  for (let count = 0; count < 100; count += 1) {
    const error = new Error("x".repeat(60_000));
    error.stack = "    at f (a.js:1:1)\n".repeat(6000);
    reporter.captureError(error);
  }
  assert.ok(reporter.counts.queued < 30);
});
