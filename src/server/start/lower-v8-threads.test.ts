import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const SCRIPT = `
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { lowerV8Threads } from "${new URL("lower-v8-threads.ts", import.meta.url).href}";
lowerV8Threads();
const threads = readdirSync("/proc/self/task").map((id) => ({
  name: readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim(),
  nice: getPriority(Number(id)),
}));
console.log(JSON.stringify(threads));
`;

test("only V8's threads get a lower priority", { skip: process.platform !== "linux" }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT]);
  const threads = JSON.parse(stdout) as { name: string; nice: number }[];
  const niceOf = (isV8: boolean) => [
    ...new Set(threads.filter(({ name }) => name.startsWith("V8Worker") === isV8).map(({ nice }) => nice)),
  ];
  const [own] = niceOf(false);
  assert.deepEqual(niceOf(false), [own]);
  assert.deepEqual(niceOf(true), [10]);
  assert.notEqual(own, 10);
});
