import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
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
