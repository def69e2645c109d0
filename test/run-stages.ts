import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Runs npm scripts, two at a time, so that one uses the cores that another leaves idle. Each runs whether or not the
 * earlier ones failed, and starts after the one two places before it has ended. Their outputs appear one after another in
 * the order of the scripts, that of the first unfinished one immediately. Fails if a script failed.
 *
 *     node test/run-stages.ts SCRIPT…
 */
const AT_ONCE = 2;

/** A script that runs ahead must not wait until its output is read. */
const OUTPUT_BYTES = 256 * 1024 ** 2;

const stages = process.argv
  .slice(2)
  .map((script) => ({ script, output: new PassThrough({ highWaterMark: OUTPUT_BYTES }) }));
type Stage = (typeof stages)[number];

const failed: string[] = [];
const queue = stages.values();
await Promise.all([printInOrder(), ...Array.from({ length: AT_ONCE }, runQueued)]);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

async function printInOrder() {
  for (const { output } of stages) await pipeline(output, process.stdout, { end: false });
}

async function runQueued() {
  for (const stage of queue) if (!(await passes(stage))) failed.push(stage.script);
}

async function passes({ script, output }: Stage): Promise<boolean> {
  const colors = process.stdout.isTTY && !process.env["NO_COLOR"] ? { FORCE_COLOR: "1" } : {};
  const child = spawn("npm", ["run", script], {
    env: { ...process.env, ...colors },
    stdio: ["ignore", "pipe", "pipe"],
    // npm is a batch file on Windows.
    shell: process.platform === "win32",
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false });
  const [code] = (await once(child, "close")) as [number | null];
  output.end();
  return code === 0;
}
