import assert from "node:assert/strict";
import { test } from "node:test";
import { captureError, createReporter, flush, init, type ReporterOptions } from "../src/index.ts";
import { recordingServer } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";

/** Captures errors `a` and `b` and a TypeError `c`; returns the messages that arrive. */
async function arrivingMessages(options: ReporterOptions): Promise<string[]> {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, options);
  for (const error of [new Error("a"), new Error("b"), new TypeError("c")]) reporter.captureError(error);
  await reporter.flush();
  return server
    .events()
    .map((event) => event.message)
    .sort();
}

const filters: [what: string, options: ReporterOptions, expected: string[]][] = [
  ["by default everything is sent", {}, ["a", "b", "c"]],
  ["a string ignores the class with that name", { ignore: ["TypeError"] }, ["a", "b"]],
  ["a string ignores messages that contain it", { ignore: ["b"] }, ["a", "c"]],
  [
    "a pattern is tested against class and message, even with the g flag",
    { ignore: [/^Error: [ab]$/g] },
    ["c"],
  ],
  ["a function receives the error", { ignore: [(error) => error instanceof TypeError] }, ["a", "b"]],
  [
    "an ignore rule that throws ignores nothing",
    {
      ignore: [
        () => {
          throw new Error("rule");
        },
      ],
    },
    ["a", "b", "c"],
  ],
  [
    "beforeSend drops an event by returning null",
    { beforeSend: (event) => (event.message === "a" ? null : event) },
    ["b", "c"],
  ],
  [
    "if beforeSend returns nothing, its changes to the event apply",
    {
      beforeSend: (event) => {
        event.message += "!";
      },
    },
    ["a!", "b!", "c!"],
  ],
  [
    "an event is dropped if beforeSend throws",
    {
      beforeSend: (event) => {
        if (event.message === "b") throw new Error("scrub");
      },
    },
    ["a", "c"],
  ],
  [
    "beforeSend may return a promise",
    {
      beforeSend: async (event) =>
        event.message === "b" ? null : { ...event, message: `${event.message}!` },
    },
    ["a!", "c!"],
  ],
  [
    "an event is dropped if the promise of beforeSend is rejected",
    { beforeSend: (event) => (event.message === "b" ? Promise.reject(new Error("scrub")) : undefined) },
    ["a", "c"],
  ],
  [
    "the event that beforeSend returns is cut to the limits",
    { beforeSend: (event) => ({ ...event, message: event.message.repeat(70_000) }) },
    ["a", "b", "c"].map((message) => message.repeat(65_535)),
  ],
  ["a sample rate of 0 sends nothing", { sampleRate: 0 }, []],
  ["errors whose random number is below the sample rate are sent", { sampleRate: 0.6 }, ["a", "b", "c"]],
  ["a disabled reporter sends nothing", { enabled: false }, []],
];

for (const [what, options, expected] of filters) {
  test(what, async () => assert.deepEqual(await arrivingMessages(options), expected));
}

test("one frequent error uses at most half of the limit per minute, and the first of each other error is sent", async () => {
  await using server = await recordingServer();
  const { reporter, clock, lines } = testReporter(server, { maxPerMinute: 10 });
  for (let count = 0; count < 1000; count += 1) reporter.captureError(new Error("storm"));
  reporter.captureError(new TypeError("rare"));
  reporter.captureError(new RangeError("rare"));
  await reporter.flush();
  const messages = server.events().map((event) => event.message);
  assert.equal(messages.filter((message) => message === "storm").length, 6);
  assert.equal(messages.filter((message) => message === "rare").length, 2);
  assert.equal(reporter.counts.overBudget, 994);
  assert.deepEqual(lines, []);
  clock.advance(60_000);
  assert.match(
    lines.join("\n"),
    /^\[signalbox\] 994 errors left out by .*: 994 × Error at .*reporter\.test\.ts:\d+:\d+\)?$/,
  );
  reporter.captureError(new Error("after"));
  await reporter.flush();
  assert.equal(server.events().at(-1)?.message, "after");
});

test("the number of dropped events is also logged when the reporter is closed", async () => {
  await using server = await recordingServer();
  const { reporter, lines } = testReporter(server, { maxPerMinute: 1 });
  for (let count = 0; count < 3; count += 1) reporter.captureError(new Error("x"));
  await reporter.close();
  assert.match(lines.join("\n"), /2 errors left out/);
});

test("an error that passes several handlers is sent once, and again if it recurs later", async () => {
  await using server = await recordingServer();
  const { reporter, clock } = testReporter(server);
  const error = new Error("x");
  reporter.captureOnce(error);
  reporter.captureOnce(error);
  await reporter.flush();
  assert.equal(server.arrivals.length, 1);
  clock.advance(2000);
  reporter.captureOnce(error);
  await reporter.flush();
  assert.equal(server.arrivals.length, 2);
});

test("errors reported from within beforeSend and ignore are not sent", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, {
    beforeSend: () => void reporter.captureError(new Error("loop")),
    ignore: [() => Boolean(reporter.captureError(new Error("loop")))],
  });
  reporter.captureError(new Error("x"));
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => event.message),
    ["x"],
  );
});

test("the reporter does not throw on any input", async () => {
  await using server = await recordingServer();
  const trap = new Proxy(new Error("x"), {
    get: () => {
      throw new Error("trap");
    },
  });
  const { reporter } = testReporter(server, {
    log: () => {
      throw new Error("log");
    },
  });
  reporter.captureError(trap, trap as never);
  reporter.captureError(trap, { context: trap as never, userId: trap as never });
  reporter.captureError("x", null as never);
  reporter.setContext(trap as never);
  reporter.captureError(new Error("last"));
  assert.equal(await reporter.flush(), true);
  assert.equal(server.events().at(-1)?.message, "last");
});

test("a thrown string has the frames of the code that called captureError, and none of the reporter's", async (t) => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.captureError("only words");
  await reporter.flush();
  init({ url: server.url, project: 1, token: "t", captureProcessErrors: false, exitDeadlineMs: 0 });
  t.after(() => init({ enabled: false }));
  captureError({ reason: "an object" });
  await flush();
  assert.equal(server.arrivals.length, 2);
  for (const { stack_trace } of server.events()) assert.match(stack_trace, /^ {4}at .*reporter\.test\.ts.*/);
});

test("a thrown string that a handler caught has its message without variable parts as the trace", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.captureOnce("order 42 of ann@example.com: 'red shoes' not found, see 0f8e-1c\nmore");
  reporter.captureOnce("no connection");
  await reporter.flush();
  assert.deepEqual(
    server
      .events()
      .map((event) => event.stack_trace)
      .sort(),
    ["no connection", "order <…> of <…> <…> not found, see <…>"],
  );
});

test("captureError returns the id of the event, or undefined if nothing is sent", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, { ignore: ["ignored"] });
  const id = reporter.captureError(new Error("x"));
  assert.equal(reporter.captureError(new Error("ignored")), undefined);
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => event.event_id),
    [id],
  );
});

test("an error captured explicitly and then thrown in its request counts once, and again in the next request", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const error = new Error("x");
  reporter.captureError(error);
  const first = {};
  for (const subject of [first, first, undefined, {}]) reporter.captureOnce(error, {}, subject);
  await reporter.flush();
  assert.equal(server.arrivals.length, 2);
});

test("without a secret, user ids are not sent, and that is logged once", async () => {
  await using server = await recordingServer();
  const { reporter, lines } = testReporter(server);
  reporter.captureError(new Error("x"), { userId: "ann@example.com" });
  reporter.captureError(new Error("y"), { userId: "ann@example.com" });
  await reporter.flush();
  assert.ok(!JSON.stringify(server.events()).includes("ann"));
  assert.equal(server.events()[0]?.user_hash, undefined);
  assert.equal(lines.length, 1);
});

test("setContext applies to errors without a context of their own", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.setContext({ kind: "command", name: "import" });
  reporter.captureError(new Error("x"));
  reporter.captureError(new Error("y"), { context: { kind: "job", name: "Mail" } });
  await reporter.flush();
  const contexts = server.events().map((event) => event.context?.kind);
  assert.deepEqual(new Set(contexts), new Set(["command", "job"]));
});

test("a closed reporter captures nothing", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("before"));
  assert.equal(await reporter.close(), true);
  reporter.captureError(new Error("after"));
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => event.message),
    ["before"],
  );
});

for (const [what, options] of [
  ["no URL", { url: "" }],
  ["a URL that is not HTTP", { url: "ftp://signalbox.example.com" }],
  ["an invalid URL", { url: "http://[" }],
  ["no project", { project: "" }],
  ["no token", { token: "" }],
  ["an invalid DSN", { dsn: "https://signalbox.example.com/1" }],
  ["options of the wrong types", { url: 5, project: {}, token: [], dsn: 7, offlineDir: 1 } as never],
  ["a token with a line break", { token: "a\nb" }],
] as [string, ReporterOptions][]) {
  test(`a reporter with ${what} logs that once and sends nothing`, async () => {
    await using server = await recordingServer();
    const { reporter, lines } = testReporter(server, options);
    reporter.captureError(new Error("x"));
    assert.equal(await reporter.flush(), true);
    assert.equal(server.arrivals.length, 0);
    assert.equal(lines.length, 1);
  });
}

test("init with null or with options that cannot be read does not throw", async () => {
  const hostile = new Proxy(
    {},
    {
      get(_, name) {
        if (name === "log") return false;
        throw new Error("trap");
      },
    },
  );
  for (const options of [null as never, hostile, { log: false, url: Object.create(null) } as never]) {
    const reporter = createReporter(options);
    reporter.captureError(new Error("x"));
    assert.equal(await reporter.close(), true);
  }
});

test("a DSN names URL, key and project, and may be in the environment", async (t) => {
  await using server = await recordingServer();
  const dsn = (key: string) => `${server.url.replace("://", `://${key}@`)}/base/9`;
  process.env["SIGNALBOX_DSN"] = dsn("fromenvironment");
  t.after(() => delete process.env["SIGNALBOX_DSN"]);
  for (const options of [{ dsn: dsn("fromoptions:secret") }, {}]) {
    const reporter = createReporter({ ...options, captureProcessErrors: false });
    reporter.captureError(new Error("x"));
    await reporter.close();
  }
  assert.deepEqual(
    server.arrivals.map(({ path, authorization }) => [path, authorization]),
    ["fromoptions", "fromenvironment"].map((key) => ["/base/api/projects/9/error-events", `Bearer ${key}`]),
  );
});

test("missing options are read from environment variables", async (t) => {
  await using server = await recordingServer();
  const settings = {
    URL: server.url,
    PROJECT: "9",
    TOKEN: "env-token",
    ENVIRONMENT: "staging",
    RELEASE: "abc",
  };
  for (const [name, value] of Object.entries(settings)) process.env[`SIGNALBOX_${name}`] = value;
  t.after(() => Object.keys(settings).forEach((name) => delete process.env[`SIGNALBOX_${name}`]));
  const reporter = createReporter({ captureProcessErrors: false });
  t.after(() => reporter.close(0));
  reporter.captureError(new Error("x"));
  await reporter.flush();
  const [{ path, authorization, body } = assert.fail()] = server.arrivals;
  assert.deepEqual(
    [path, authorization, body.environment, body.release],
    ["/api/projects/9/error-events", "Bearer env-token", "staging", "abc"],
  );
});

test("captureError does nothing before init, and uses the reporter of the last init", async () => {
  captureError(new Error("too early"));
  assert.equal(await flush(), true);
  await using first = await recordingServer();
  await using second = await recordingServer();
  const common = {
    project: 1,
    token: "t",
    captureProcessErrors: false,
    exitDeadlineMs: 0,
    log: false,
  } as const;
  init({ ...common, url: first.url });
  const reporter = init({ ...common, url: second.url });
  captureError(new Error("now"));
  assert.equal(await flush(), true);
  assert.deepEqual([first.arrivals.length, second.arrivals.length], [0, 1]);
  await reporter.close();
});
