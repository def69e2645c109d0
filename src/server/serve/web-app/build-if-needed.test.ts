import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pino } from "pino";
import { StartError } from "../../config/start-error.ts";
import { buildIfNeeded } from "./build-if-needed.ts";

const folder = await mkdtemp(path.join(tmpdir(), "signalbox-build-"));
after(() => rm(folder, { recursive: true, force: true }));

for (const [what, script, reason] of [
  ["fails", "console.error('first\\nsecond'); process.exit(1)", "first second"],
  ["fails without a message", "process.exit(3)", "it ended with code 3"],
  [
    "is interrupted",
    "process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 60_000)",
    "it ended with SIGINT",
  ],
] as const)
  test(`a build that ${what} stops the start with one line`, async () => {
    const build = {
      name: "the web app",
      output: path.join(folder, "missing"),
      sources: [],
      tool: "package.json",
      command: ["--eval", script],
    };
    await assert.rejects(buildIfNeeded(build, pino({ level: "silent" })), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.equal(error.message, `Building the web app failed: ${reason}`);
      return true;
    });
  });
