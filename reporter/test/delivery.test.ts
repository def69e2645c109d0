import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ErrorEventBody } from "../src/index.ts";
import { closeEarly, partialResponse, recordingServer, stall, status } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";

test("an error arrives with all fields at the project's URL, with the token", async () => {
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
  const {
    event_id,
    frames,
    stack_trace,
    memory_peak_bytes,
    memory_limit_bytes,
    host,
    previous_exceptions,
    ...rest
  } = arrival.body;
  assert.match(event_id ?? "", /^[0-9a-f]{32}$/);
  assert.match(stack_trace, /^ {4}at .*delivery\.test\.ts:\d+:\d+/);
  assert.match(frames?.[0]?.filename ?? "", /delivery\.test\.ts$/);
  assert.ok(Number(memory_peak_bytes) > 10_000_000 && Number(memory_limit_bytes) > 10_000_000);
  assert.ok(host);
  assert.deepEqual(
    previous_exceptions?.map((event) => [event.exception_class, event.message]),
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

test("a path in the server's URL is kept", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter({ url: `${server.url}/base/` }, { project: "WEB" });
  reporter.captureError(new Error("x"));
  await reporter.flush();
  assert.equal(server.arrivals[0]?.path, "/base/api/projects/WEB/error-events");
});

test("after a 429, the event is retried when Retry-After has passed, and not before", async () => {
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

test("Retry-After may be a date", async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  await using server = await recordingServer(status(503, { "retry-after": date }));
  const { reporter, clock } = testReporter(server);
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(30_000), false);
  clock.advance(61_000);
  assert.equal(await reporter.flush(), true);
});

for (const [what, failure] of [
  ["a 500", status(500)],
  ["a 503", status(503)],
  ["a connection that closes early", closeEarly],
  ["an incomplete response", partialResponse],
] as const) {
  test(`after ${what}, the event is retried with growing pauses until it is accepted`, async () => {
    await using server = await recordingServer(failure, failure);
    const { reporter, clock, lines } = testReporter(server);
    reporter.captureError(new Error("x"));
    assert.equal(await reporter.flush(400), false);
    clock.advance(500);
    assert.equal((await server.received(2)).length, 2);
    assert.equal(await reporter.flush(900), false);
    clock.advance(1000);
    assert.equal(await reporter.flush(), true);
    assert.deepEqual(new Set(server.events().map((event) => event.message)), new Set(["x"]));
    assert.equal(lines.filter((line) => line.includes("retrying later")).length, 1);
  });
}

test("a request to a server that never responds ends after its timeout", { timeout: 5000 }, async () => {
  await using server = await recordingServer(stall);
  const { reporter, lines } = testReporter(server, { timeoutMs: 50 });
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(400), false);
  assert.match(lines.join(), /no response within 50 ms/);
});

test("errors are queued while the server is down, and arrive when it is up again", async () => {
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
      .map((event) => event.message)
      .sort(),
    ["first", "second"],
  );
});

test("an event that is refused as too large is shortened and sent once more", async () => {
  await using server = await recordingServer(status(413));
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("x".repeat(50_000), { cause: new Error("y") }));
  assert.equal(await reporter.flush(), true);
  const [full, shortened] = server.events();
  assert.equal(full?.message.length, 50_000);
  assert.equal(shortened?.message.length, 4000);
  assert.equal(reporter.counts.sent, 1);
});

test("an event that is refused as invalid is sent once more with its id and the five basic fields", async () => {
  await using server = await recordingServer(status(422));
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("x"), { context: { kind: "command", name: "import" } });
  assert.equal(await reporter.flush(), true);
  assert.equal(server.events()[1]?.event_id, server.events()[0]?.event_id);
  assert.deepEqual(Object.keys(server.events()[1] ?? {}).sort(), [
    "environment",
    "event_id",
    "exception_class",
    "message",
    "release",
    "stack_trace",
  ]);
});

test("an event refused with 400 is not retried, and logged once", async () => {
  await using server = await recordingServer(status(400), status(400));
  const { reporter, lines } = testReporter(server);
  reporter.captureError(new Error("x"));
  reporter.captureError(new Error("y"));
  assert.equal(await reporter.flush(), true);
  assert.equal(server.arrivals.length, 2);
  assert.deepEqual(reporter.counts, { sent: 0, queued: 0, overBudget: 0, overflowed: 0, refused: 2 });
  assert.deepEqual(lines, ['[signalbox] error refused: 400 {"message":"no"}']);
});

const webPage: Parameters<typeof recordingServer>[0] = (response) =>
  void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html>");

for (const [what, response, line] of [
  [
    "a wrong or revoked key",
    status(401),
    /the key or token is wrong or was revoked \(401 from http.*7\/error-events\)$/,
  ],
  ["a key of another project", status(403), /may not send to this project \(403/],
  ["a wrong project or address", status(404), /no such project or no Signalbox \(404/],
  [
    "a redirect",
    status(301, { location: "https://b.example/" }),
    /redirects to https:\/\/b\.example\/ \(301 from/,
  ],
  ["a web page as the response", webPage, /a web page responded, not Signalbox \(200/],
] as const) {
  test(`${what} is logged in one line; the events wait and arrive once it is corrected`, async () => {
    await using server = await recordingServer(response, response);
    const { reporter, clock, lines } = testReporter(server);
    reporter.captureError(new Error("x"));
    reporter.captureError(new TypeError("y"));
    assert.equal(await reporter.flush(), false);
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0]!, line);
    clock.advance(300_000);
    assert.equal(await reporter.flush(), true);
    assert.equal(reporter.counts.sent, 2);
  });
}

test("with debug, the destination, each response and each ignored error are logged", async () => {
  await using server = await recordingServer();
  const { reporter, lines } = testReporter(server, { debug: true, ignore: ["TypeError"] });
  const id = reporter.captureError(new Error("x"));
  reporter.captureError(new TypeError("y"));
  await reporter.flush();
  assert.deepEqual(lines, [
    `[signalbox] sending to ${server.url}/api/projects/7/error-events`,
    "[signalbox] ignored: y",
    `[signalbox] ${id}: 202`,
  ]);
});

test("an event is dropped after ten 5xx responses, and the next one arrives", async () => {
  await using server = await recordingServer(...Array.from({ length: 10 }, () => status(500)));
  const { reporter, clock } = testReporter(server, { timeoutMs: 1000 });
  reporter.captureError(new Error("poison"));
  for (let attempt = 0; attempt < 9; attempt += 1) {
    assert.equal(await reporter.flush(10), false);
    clock.advance(120_000);
  }
  await reporter.flush();
  assert.equal(reporter.counts.refused, 1);
  reporter.captureError(new Error("next"));
  assert.equal(await reporter.flush(), true);
  assert.equal(server.events().at(-1)?.message, "next");
});

test("a full queue keeps the first event of each error, and the dropped events are logged at the end", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const { reporter, clock, lines } = testReporter(server, { maxQueued: 3 });
  reporter.captureError(new Error("cause"));
  await reporter.flush();
  for (let count = 0; count < 10; count += 1) reporter.captureError(new TypeError(`consequence ${count}`));
  reporter.captureError(new RangeError("another"));
  assert.equal(reporter.counts.overflowed, 9);
  clock.advance(60_000);
  assert.equal(await reporter.flush(), true);
  assert.deepEqual(
    server
      .events()
      .slice(1)
      .map((event) => event.message)
      .sort(),
    ["another", "cause", "consequence 0"],
  );
  assert.match(lines.join("\n"), /\] 9 errors left out by maxPerMinute or maxQueued: 9 × TypeError at .*$/);
});

test("the queue is limited by the size of its events, too", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const { reporter } = testReporter(server);
  for (let count = 0; count < 100; count += 1) {
    const error = new Error("x".repeat(60_000));
    error.stack = "    at f (a.js:1:1)\n".repeat(6000);
    reporter.captureError(error);
  }
  assert.ok(reporter.counts.queued < 30);
});
