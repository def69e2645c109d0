import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { waitUntil } from "../../../test/support/eventually.ts";
import { LogOutput } from "./log-output.ts";

test("lines that cannot be written are dropped and counted, and later lines are written", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-log-"));
  const file = path.join(folder, "log");
  const closed = openSync(file, "a");
  closeSync(closed);
  const output = new LogOutput(closed, (lines, cause) => output.write(`lost ${lines}: ${cause}\n`));
  output.write("one\n");
  output.write("two\n");
  // The lowest free number: the one that was just closed.
  assert.equal(openSync(file, "a"), closed);
  output.write("three\n");
  output.write("four\n");
  closeSync(closed);
  assert.equal(readFileSync(file, "utf8"), "three\nlost 2: EBADF\nfour\n");
  await rm(folder, { recursive: true, force: true });
});

test("a log that nobody reads does not block the process", async () => {
  const program = `
    const { makeLogger } = await import(process.argv[1]);
    const log = makeLogger("info");
    for (let line = 0; line < 500; line++) log.info("x".repeat(1_000));
    process.stderr.write("done");
    process.stdin.on("data", () => log.info("read again"));`;
  const module = path.join(import.meta.dirname, "make-logger.ts");
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, module], { stdio: "pipe" });
  const [text] = (await once(child.stderr, "data")) as [Buffer];
  assert.equal(text.toString(), "done");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  await waitUntil(() => {
    child.stdin.write("\n");
    return /"lost":\d+,"cause":"EAGAIN","msg":"Lines could not be written to the log/.test(output);
  });
  child.stdin.end();
  await once(child, "close");
});
