import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { StartError } from "../src/server/config/start-error.ts";
import { buildIfNeeded } from "./build-if-needed.ts";

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
      output: "dist/missing",
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
