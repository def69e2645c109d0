import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createDiskStore } from "../src/node/disk-store.ts";
import { closeEarly, recordingServer, status } from "./support/recording-server.ts";
import { testReporter } from "./support/reporter.ts";
import { runProgram } from "./support/run-program.ts";

const event = { environment: "test", exception_class: "Error", message: "kept", stack_trace: "" };

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "offline");
}

/** The name of the next event that is stored in `folder`. */
function nextStored(t: TestContext, folder: string): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.includes(".taken-") && !name.endsWith(".part")) resolve(name);
    });
    t.after(() => watcher.close());
  });
}

const unreachableServer = { url: "http://127.0.0.1:9" };
const crash = (folder: string, message: string) =>
  `import { init } from "@signalbox/reporter"; init({ offlineDir: ${JSON.stringify(folder)} }); throw new Error("${message}");`;

test("the error of a crash while the server is down arrives once, after the next start", async (t) => {
  const folder = temporaryFolder(t);
  assert.equal((await runProgram(crash(folder, "first"), unreachableServer)).code, 1);
  assert.equal((await runProgram(crash(folder, "second"), unreachableServer)).code, 1);

  await using server = await recordingServer();
  const { reporter } = testReporter(server, { offlineDir: folder });
  assert.equal(await reporter.flush(), true);
  assert.deepEqual(
    server
      .events()
      .map((event) => event.message)
      .sort(),
    ["first", "second"],
  );
  assert.deepEqual(readdirSync(folder), []);
  await reporter.close();
});

test("a delivered error leaves no file behind", async (t) => {
  const folder = temporaryFolder(t);
  await using server = await recordingServer();
  await runProgram(crash(folder, "delivered"), server);
  assert.equal(server.arrivals.length, 1);
  assert.deepEqual(readdirSync(folder), []);
});

test("an error is stored as soon as its first attempt fails, readable only by the current user", async (t) => {
  const folder = temporaryFolder(t);
  await using server = await recordingServer(closeEarly);
  const { reporter } = testReporter(server, { offlineDir: folder });
  const stored = nextStored(t, folder);
  reporter.captureError(new Error("x"));
  void reporter.flush();
  const name = await stored;
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(await reporter.close(), true);
  assert.deepEqual(readdirSync(folder), []);
});

test("each file is claimed by only one of the processes that share the folder", (t) => {
  const folder = temporaryFolder(t);
  const [writer, first, second] = [0, 1, 2].map(() => createDiskStore(folder, 100)) as [Store, Store, Store];
  writer.release([writer.keep(event), writer.keep(event)]);
  assert.equal(first.take().length, 2);
  assert.equal(second.take().length, 0);
});

test("the files of a process that died are taken at once by the next one that starts", async (t) => {
  const folder = temporaryFolder(t);
  const source = `import { init, captureError } from "@signalbox/reporter";
    import { watch } from "node:fs";
    init({ offlineDir: ${JSON.stringify(folder)} });
    watch(${JSON.stringify(folder)}, (event, name) => {
      if (!name.endsWith(".part")) process.kill(process.pid, "SIGKILL");
    });
    captureError(new Error("kept"));`;
  await runProgram(source, unreachableServer);
  assert.match(readdirSync(folder).join(), /\.taken-[\w-]+$/);
  assert.deepEqual(
    createDiskStore(folder, 100)
      .take()
      .map((taken) => taken.event.message),
    ["kept"],
  );
});

test("the claim of a process on another machine expires after ten minutes", (t) => {
  const folder = temporaryFolder(t);
  const store = createDiskStore(folder, 100);
  const name = "1700000000000-1-1.json.taken-elsewhere-1-1-abc";
  writeFileSync(join(folder, name), JSON.stringify(event));
  assert.equal(store.take().length, 0);
  const expired = new Date(Date.now() - 601_000);
  utimesSync(join(folder, name), expired, expired);
  assert.deepEqual(
    store.take().map((taken) => taken.event),
    [event],
  );
});

test("while sending is paused, an error is stored as soon as it is captured", async (t) => {
  const folder = temporaryFolder(t);
  await using server = await recordingServer(status(503, { "retry-after": "60" }));
  const { reporter } = testReporter(server, { offlineDir: folder });
  reporter.captureError(new Error("first"));
  assert.equal(await reporter.flush(), false);
  reporter.captureError(new Error("second"));
  assert.equal(readdirSync(folder).length, 2);
  await reporter.close(0);
});

test("a revoked token keeps the stored errors, and they arrive with a new one", async (t) => {
  const folder = temporaryFolder(t);
  await runProgram(crash(folder, "kept"), unreachableServer);
  await using server = await recordingServer(status(401));
  const { reporter: revoked } = testReporter(server, { offlineDir: folder });
  assert.equal(await revoked.flush(), false);
  await revoked.close(0);
  assert.equal(readdirSync(folder).length, 1);
  const { reporter } = testReporter(server, { offlineDir: folder, token: "new" });
  assert.equal(await reporter.flush(), true);
  assert.deepEqual(
    server.arrivals.map(({ authorization, body }) => [authorization, body.message]),
    [
      ["Bearer token", "kept"],
      ["Bearer new", "kept"],
    ],
  );
  assert.deepEqual(readdirSync(folder), []);
});

test("when the folder is full, the oldest files are removed", (t) => {
  const folder = temporaryFolder(t);
  const store = createDiskStore(folder, 3);
  const keys = [1, 2, 3, 4, 5].map(() => store.keep(event));
  assert.deepEqual(readdirSync(folder).sort(), keys.slice(2).sort());
});

test("other files in the folder are left alone, and damaged events are removed", (t) => {
  const folder = temporaryFolder(t);
  const store = createDiskStore(folder, 3);
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, "1700000000000-1-1.json"), '{"half');
  assert.deepEqual(store.take(), []);
  assert.deepEqual(readdirSync(folder), ["notes.txt"]);
});

test("if the folder cannot be created, that is logged and errors are still sent", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(folder, "a file");
  await using server = await recordingServer();
  const { reporter, lines } = testReporter(server, { offlineDir: folder });
  reporter.captureError(new Error("x"));
  assert.equal(await reporter.flush(), true);
  assert.match(lines.join(), /cannot store events on disk/);
});

type Store = ReturnType<typeof createDiskStore>;
