import assert from "node:assert/strict";
import { test } from "node:test";
import { captureError, createReporter, flush, init, type ReporterOptions } from "../src/index.ts";
import { recordingServer } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";

/** The messages that arrive of errors `a`, `b` and a TypeError `c`. */
async function arriving(options: ReporterOptions): Promise<string[]> {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, options);
  for (const error of [new Error("a"), new Error("b"), new TypeError("c")]) reporter.captureError(error);
  await reporter.flush();
  return server
    .events()
    .map((one) => one.message)
    .sort();
}

const filters: [what: string, options: ReporterOptions, expected: string[]][] = [
  ["without rules everything is sent", {}, ["a", "b", "c"]],
  ["a text ignores the class of that name", { ignore: ["TypeError"] }, ["a", "b"]],
  ["a text ignores messages that contain it", { ignore: ["b"] }, ["a", "c"]],
  ["a pattern is tried on class and message, with the g flag too", { ignore: [/^Error: [ab]$/g] }, ["c"]],
  ["a function decides by the error itself", { ignore: [(one) => one instanceof TypeError] }, ["a", "b"]],
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
    "beforeSend drops what it answers null for",
    { beforeSend: (one) => (one.message === "a" ? null : one) },
    ["b", "c"],
  ],
  [
    "beforeSend that answers nothing keeps the event as it changed it",
    {
      beforeSend: (one) => {
        one.message += "!";
      },
    },
    ["a!", "b!", "c!"],
  ],
  [
    "an event whose beforeSend throws is dropped",
    {
      beforeSend: (one) => {
        if (one.message === "b") throw new Error("scrub");
      },
    },
    ["a", "c"],
  ],
  ["a beforeSend that answers a promise drops the event", { beforeSend: (async () => null) as never }, []],
  [
    "what beforeSend answers is cut to the limits",
    { beforeSend: (one) => ({ ...one, message: one.message.repeat(70_000) }) },
    ["a", "b", "c"].map((one) => one.repeat(65_535)),
  ],
  ["a sample rate of 0 sends nothing", { sampleRate: 0 }, []],
  ["a sample rate above chance sends everything", { sampleRate: 0.6 }, ["a", "b", "c"]],
  ["a reporter that is not enabled sends nothing", { enabled: false }, []],
];

for (const [what, options, expected] of filters) {
  test(what, async () => assert.deepEqual(await arriving(options), expected));
}

test("a storm is held to its budget, counted, and said once when the minute is over", async () => {
  await using server = await recordingServer();
  const { reporter, clock, lines } = testReporter(server, { maxPerMinute: 5 });
  for (let count = 0; count < 1000; count += 1) reporter.captureError(new Error("storm"));
  await reporter.flush();
  assert.equal(server.arrivals.length, 5);
  assert.equal(reporter.counts.overBudget, 995);
  assert.deepEqual(lines, []);
  clock.advance(60_000);
  assert.deepEqual(lines, ["[signalbox] 995 errors not sent: over 5 a minute"]);
  reporter.captureError(new Error("after"));
  await reporter.flush();
  assert.equal(server.events().at(-1)?.message, "after");
});

test("an error that passes several catchers is sent once, and again when it happens again", async () => {
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

test("an error that the host's own functions report from inside is not sent", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server, {
    beforeSend: () => reporter.captureError(new Error("loop")),
    ignore: [() => Boolean(reporter.captureError(new Error("loop")))],
  });
  reporter.captureError(new Error("x"));
  await reporter.flush();
  assert.deepEqual(
    server.events().map((one) => one.message),
    ["x"],
  );
});

test("whatever it is given, the reporter does not throw", async () => {
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

test("a text that is thrown carries the place it was reported from", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.captureError("only words");
  await reporter.flush();
  assert.match(server.events()[0]?.stack_trace ?? "", /reporter\.test\.ts/);
});

test("a user's id is not sent without a secret, and that is said once", async () => {
  await using server = await recordingServer();
  const { reporter, lines } = testReporter(server);
  reporter.captureError(new Error("x"), { userId: "ann@example.com" });
  reporter.captureError(new Error("y"), { userId: "ann@example.com" });
  await reporter.flush();
  assert.ok(!JSON.stringify(server.events()).includes("ann"));
  assert.equal(server.events()[0]?.user_hash, undefined);
  assert.equal(lines.length, 1);
});

test("the context that is set stands in for errors without one", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.setContext({ kind: "command", name: "import" });
  reporter.captureError(new Error("x"));
  reporter.captureError(new Error("y"), { context: { kind: "job", name: "Mail" } });
  await reporter.flush();
  const contexts = server.events().map((one) => one.context?.kind);
  assert.deepEqual(new Set(contexts), new Set(["command", "job"]));
});

test("a closed reporter captures nothing more", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  reporter.captureError(new Error("before"));
  assert.equal(await reporter.close(), true);
  reporter.captureError(new Error("after"));
  await reporter.flush();
  assert.deepEqual(
    server.events().map((one) => one.message),
    ["before"],
  );
});

for (const [what, options] of [
  ["no address", { url: "" }],
  ["an address of another kind", { url: "ftp://signalbox.example.com" }],
  ["an address that is none", { url: "http://[" }],
  ["no project", { project: "" }],
  ["no token", { token: "" }],
  ["a token with a line break", { token: "a\nb" }],
] as [string, ReporterOptions][]) {
  test(`a reporter with ${what} says so once and sends nothing`, async () => {
    await using server = await recordingServer();
    const { reporter, lines } = testReporter(server, options);
    reporter.captureError(new Error("x"));
    assert.equal(await reporter.flush(), true);
    assert.equal(server.arrivals.length, 0);
    assert.equal(lines.length, 1);
  });
}

test("what options leave out is read from the environment", async (t) => {
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

test("captureError before init does nothing, and after init goes where the last init says", async () => {
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
