import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingServer, stall, status } from "./support/recording-server.ts";
import { runFile, runProgram } from "./support/run-program.ts";

const start = 'import { init, captureError, flush } from "@signalbox/reporter"; const reporter = init();';

for (const [how, code] of [
  ["throw", 1],
  ["reject", 1],
  ["caught", 0],
] as const) {
  test(`the crash example with "${how}" reports its error with all fields and exits with ${code}`, async () => {
    await using server = await recordingServer();
    const result = await runFile("examples/crash.mjs", server, [how]);
    assert.equal(result.code, code);
    const [event, ...more] = server.events();
    assert.equal(more.length, 0);
    assert.equal(event?.exception_class, "PaymentError");
    assert.equal(event.exception_code, "CARD_DECLINED");
    assert.equal(event.release, "1.0.1");
    assert.equal(event.level, how === "caught" ? undefined : "fatal");
    assert.match(event.stack_trace, /^ {4}at charge \(\/.*crash\.mjs:\d+:\d+\)/);
    assert.deepEqual(
      event.previous_exceptions?.map((event) => event.exception_class),
      ["SyntaxError"],
    );
  });
}

const crash = "setImmediate(() => { throw new RangeError('gone') })";

test("output and exit code of a program are the same with and without the reporter", async () => {
  await using server = await recordingServer();
  for (const source of [
    crash,
    "Promise.reject(new Error('gone'))",
    "Promise.reject('text')",
    "process.exitCode = 7",
  ]) {
    const [without, withReporter] = [
      await runProgram(source, server),
      await runProgram(`${start}${source}`, server),
    ];
    const shape = (text: string) => text.replaceAll(/:\d+(:\d+)?\b|\n.*\^.*|import .*init\(\);/g, "");
    assert.equal(withReporter.code, without.code);
    assert.equal(shape(withReporter.stderr), shape(without.stderr));
  }
});

test("uncaught exceptions that the program handles are reported and do not end it", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `${start} process.on("uncaughtException", () => console.log("handled")); ${crash};
     setTimeout(() => console.log("alive"), 50);`,
    server,
  );
  assert.deepEqual([result.code, result.stdout], [0, "handled\nalive\n"]);
  assert.equal(server.events()[0]?.message, "gone");
});

for (const [when, source] of [
  ["before", `process.on("unhandledRejection", (e) => console.log("seen")); ${start}`],
  ["after", `${start} process.on("unhandledRejection", (e) => console.log("seen"));`],
] as const) {
  test(`a rejection handled by a listener that was added ${when} init is reported and does not end the program`, async () => {
    await using server = await recordingServer();
    const result = await runProgram(`${source} Promise.reject(new Error("lost"));`, server);
    assert.deepEqual([result.code, result.stdout], [0, "seen\n"]);
    assert.deepEqual(
      server.events().map((event) => event.message),
      ["lost"],
    );
  });
}

test("after the program's last listener for rejections is removed, a rejection ends it again", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `${start} const take = () => {}; process.on("unhandledRejection", take); process.off("unhandledRejection", take);
     Promise.reject(new Error("lost"));`,
    server,
  );
  assert.equal(result.code, 1);
  assert.equal(server.events().length, 1);
});

test("an error captured right before process.exit arrives", async () => {
  await using server = await recordingServer();
  const result = await runProgram(`${start} captureError(new Error("last words")); process.exit(3);`, server);
  assert.equal(result.code, 3);
  assert.equal(server.events()[0]?.message, "last words");
});

test("fifty errors captured right before process.exit arrive", async () => {
  await using server = await recordingServer();
  await runProgram(
    `${start} for (let i = 0; i < 50; i++) captureError(new Error("e" + i)); process.exit();`,
    server,
  );
  assert.equal(new Set(server.events().map((event) => event.message)).size, 50);
});

test("the number of events dropped by the limits is logged when the process ends", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `import { init, captureError } from "@signalbox/reporter"; init({ maxPerMinute: 1 });
     for (let i = 0; i < 3; i++) captureError(new Error("e" + i)); process.exit();`,
    server,
  );
  assert.match(result.stderr, /2 errors left out/);
});

test("the reporter does not keep a program alive", async () => {
  await using server = await recordingServer();
  const result = await runProgram(`${start} captureError(new Error("x")); await flush();`, server);
  assert.equal(result.code, 0);
  assert.ok(result.durationMs < 30_000, `${result.durationMs} ms`);
});

for (const [what, source, code] of [
  ["a crash", crash, 1],
  ["process.exit", "captureError(new Error('x')); process.exit(0)", 0],
  ["a normal end", "captureError(new Error('x'))", 0],
] as const) {
  test(`an unresponsive server delays ${what} by at most the deadline`, async () => {
    await using server = await recordingServer(stall, stall, stall);
    // Without the deadline, the program would wait for the response until it is killed.
    const init = "init({ exitDeadlineMs: 5000, timeoutMs: 3_600_000 })";
    const result = await runProgram(start.replace("init()", init) + source, server);
    assert.equal(result.code, code);
    assert.match(result.stderr, /errors not sent before exit: 1/);
    assert.ok(server.arrivals.length >= 1);
  });
}

for (const [what, source] of [
  ["a crash", crash],
  ["process.exit", "captureError(new Error('x')); process.exit(0)"],
] as const) {
  test(`a wrong token is logged in one line at ${what}`, async () => {
    await using server = await recordingServer(status(401));
    const { stderr } = await runProgram(`${start}${source}`, server);
    assert.equal(
      stderr.match(/\[signalbox\] .*the key or token is wrong or was revoked/g)?.length,
      1,
      stderr,
    );
  });
}

for (const mode of ["warn", "warn-with-error-code", "none"]) {
  test(`with --unhandled-rejections=${mode}, rejections are reported, and the program ends as without the reporter`, async () => {
    await using server = await recordingServer();
    const flags = [`--unhandled-rejections=${mode}`];
    const rejection = "Promise.reject(new RangeError('lost')); setTimeout(() => console.log('alive'), 10);";
    const without = await runProgram(rejection, server, { flags });
    const result = await runProgram(`${start}${rejection}`, server, { flags });
    assert.deepEqual([result.code, result.stdout], [without.code, without.stdout]);
    assert.equal(
      /UnhandledPromiseRejectionWarning/.test(result.stderr),
      /UnhandledPromiseRejectionWarning/.test(without.stderr),
    );
    assert.deepEqual(
      server.events().map((event) => event.message),
      ["lost"],
    );
  });
}

test("errors that were queued when init is called again are still sent", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `${start} captureError(new Error("first")); init(); captureError(new Error("second"));`,
    server,
  );
  assert.equal(result.code, 0);
  assert.deepEqual(
    server
      .events()
      .map((event) => event.message)
      .sort(),
    ["first", "second"],
  );
});

test("a pending Retry-After does not delay the exit", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "3600" }));
  // If the exit waited for the next attempt, the program would be killed.
  const result = await runProgram(
    start.replace("init()", "init({ exitDeadlineMs: 3_600_000 })") + "captureError(new Error('x'))",
    server,
  );
  assert.equal(result.code, 0);
});

test("with source maps enabled in Node, a trace has the positions of the sources", async () => {
  await using server = await recordingServer();
  const result = await runFile("test/programs/run-bundled.mjs", server);
  assert.equal(result.code, 1, result.stderr);
  assert.match(server.events()[0]?.stack_trace ?? "", /^ {4}at fail \(.*original\.ts:9:9\)/);
});

test("the thread that sends at exit does not run the program's preloads", async () => {
  await using server = await recordingServer();
  const result = await runProgram(crash, server, { flags: ["--import", "./test/programs/preload.mjs"] });
  assert.equal(result.stdout, "preloaded\n");
  assert.equal(server.events().length, 1);
});

const environment = { SIGNALBOX_URL: "", SIGNALBOX_PROJECT: "", SIGNALBOX_TOKEN: "" };

test("the command `test` sends an error and says that it was accepted", async () => {
  await using server = await recordingServer();
  const options = ["--url", server.url, "--project=9", "--key", "k"];
  const result = await runFile("dist/cli.js", server, ["test", ...options], environment);
  assert.equal(result.code, 0, result.stderr);
  const [{ path, authorization, body } = assert.fail()] = server.arrivals;
  assert.deepEqual([path, authorization], ["/api/projects/9/error-events", "Bearer k"]);
  assert.match(result.stdout, new RegExp(`accepted the test error ${body.event_id}`));
});

for (const [what, args, line] of [
  ["a wrong key", ["--url", "<server>", "--project", "9", "--key", "k"], /key or token is wrong/],
  ["missing options", ["--url", "<server>"], /nothing will be sent: project, key missing/],
  ["an unknown option", ["--proyect", "9"], /Usage: npx @signalbox\/reporter test/],
] as const) {
  test(`with ${what}, the command \`test\` fails and says why`, async () => {
    await using server = await recordingServer(status(401));
    const options = args.map((word) => word.replace("<server>", server.url));
    const result = await runFile("dist/cli.js", server, ["test", ...options], environment);
    assert.notEqual(result.code, 0);
    assert.match(result.stderr, line);
  });
}
