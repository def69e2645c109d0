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
  test(`the example that fails by ${how} is reported whole and ends with ${code}`, async () => {
    await using server = await recordingServer();
    const ended = await runFile("examples/crash.mjs", server, [how]);
    assert.equal(ended.code, code);
    const [event, ...more] = server.events();
    assert.equal(more.length, 0);
    assert.equal(event?.exception_class, "PaymentError");
    assert.equal(event.exception_code, "CARD_DECLINED");
    assert.equal(event.release, "1.0.1");
    assert.match(event.stack_trace, /^ {4}at charge \(\/.*crash\.mjs:\d+:\d+\)/);
    assert.deepEqual(
      event.previous_exceptions?.map((one) => one.exception_class),
      ["SyntaxError"],
    );
  });
}

const crash = "setImmediate(() => { throw new RangeError('gone') })";

test("what Node prints and its exit code are those of the program without the reporter", async () => {
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

test("a program that handles its uncaught exceptions lives on, and they are reported", async () => {
  await using server = await recordingServer();
  const ended = await runProgram(
    `${start} process.on("uncaughtException", () => console.log("handled")); ${crash};
     setTimeout(() => console.log("alive"), 50);`,
    server,
  );
  assert.deepEqual([ended.code, ended.stdout], [0, "handled\nalive\n"]);
  assert.equal(server.events()[0]?.message, "gone");
});

for (const [when, source] of [
  ["before", `process.on("unhandledRejection", (e) => console.log("seen")); ${start}`],
  ["after", `${start} process.on("unhandledRejection", (e) => console.log("seen"));`],
] as const) {
  test(`a rejection that a listener added ${when} init takes is reported, and does not end the program`, async () => {
    await using server = await recordingServer();
    const ended = await runProgram(`${source} Promise.reject(new Error("lost"));`, server);
    assert.deepEqual([ended.code, ended.stdout], [0, "seen\n"]);
    assert.deepEqual(
      server.events().map((one) => one.message),
      ["lost"],
    );
  });
}

test("when the program's last listener for rejections goes, a rejection ends it again", async () => {
  await using server = await recordingServer();
  const ended = await runProgram(
    `${start} const take = () => {}; process.on("unhandledRejection", take); process.off("unhandledRejection", take);
     Promise.reject(new Error("lost"));`,
    server,
  );
  assert.equal(ended.code, 1);
  assert.equal(server.events().length, 1);
});

test("an error captured just before process.exit arrives", async () => {
  await using server = await recordingServer();
  const ended = await runProgram(`${start} captureError(new Error("last words")); process.exit(3);`, server);
  assert.equal(ended.code, 3);
  assert.equal(server.events()[0]?.message, "last words");
});

test("fifty errors captured just before process.exit arrive", async () => {
  await using server = await recordingServer();
  await runProgram(
    `${start} for (let i = 0; i < 50; i++) captureError(new Error("e" + i)); process.exit();`,
    server,
  );
  assert.equal(new Set(server.events().map((one) => one.message)).size, 50);
});

test("the reporter alone does not keep a program alive", async () => {
  await using server = await recordingServer();
  const ended = await runProgram(`${start} captureError(new Error("x")); await flush();`, server);
  assert.equal(ended.code, 0);
  assert.ok(ended.took < 5000);
});

for (const [what, source] of [
  ["a crash", crash],
  ["process.exit", "captureError(new Error('x')); process.exit(0)"],
  ["a normal end", "captureError(new Error('x'))"],
] as const) {
  test(`a server that stalls holds up ${what} for no longer than the deadline`, async () => {
    await using server = await recordingServer(stall, stall, stall);
    const bare = await runProgram(start.replace("init()", "init({ exitDeadlineMs: 400 })"), server);
    const ended = await runProgram(start.replace("init()", "init({ exitDeadlineMs: 400 })") + source, server);
    assert.ok(server.arrivals.length >= 1);
    assert.match(ended.stderr, /1 errors could not be sent before the process ended/);
    // A busy machine takes its time to start a thread and to stop it; without the deadline it would be ten seconds.
    assert.ok(ended.took - bare.took < 400 + 2000, `${ended.took - bare.took} ms`);
  });
}

test("a server that asks for patience does not hold up the end", async () => {
  await using server = await recordingServer(status(429, { "retry-after": "60" }));
  const ended = await runProgram(
    start.replace("init()", "init({ exitDeadlineMs: 9000 })") + "captureError(new Error('x'))",
    server,
  );
  assert.ok(ended.took < 6000);
});

test("an error keeps its original places when Node runs with source maps", async () => {
  await using server = await recordingServer();
  const ended = await runFile("test/programs/run-bundled.mjs", server);
  assert.equal(ended.code, 1, ended.stderr);
  assert.match(server.events()[0]?.stack_trace ?? "", /^ {4}at fail \(.*original\.ts:9:9\)/);
});

test("a preload that starts a reporter starts none in the thread that sends the last events", async () => {
  await using server = await recordingServer();
  const ended = await runProgram(crash, server, { flags: ["--import", "./test/programs/preload.mjs"] });
  assert.equal(ended.stdout, "preloaded\n");
  assert.equal(server.events().length, 1);
});
