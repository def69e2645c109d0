import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { openOutput, type Output } from "./output.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-output-"));
  file = path.join(folder, "nightly.backup");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function finish({ stream }: Output, text: string) {
  stream.end(text);
  await once(stream, "close");
}

test("two backups to one name are each kept complete, the last one to finish in the end", async () => {
  const slow = await openOutput(file);
  slow.stream.write("the slow ");
  const quick = await openOutput(file);
  await finish(quick, "the quick one");
  await quick.keep();
  assert.equal(await readFile(file, "utf8"), "the quick one");
  await finish(slow, "one");
  await slow.keep();
  assert.equal(await readFile(file, "utf8"), "the slow one");
  assert.deepEqual(await readdir(folder), ["nightly.backup"]);
});

test("discarding one of two backups to one name leaves the other one unchanged", async () => {
  const first = await openOutput(file);
  const second = await openOutput(file);
  await finish(second, "");
  await second.discard();
  await finish(first, "complete");
  await first.keep();
  assert.equal(await readFile(file, "utf8"), "complete");
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const endedPid = () => spawnSync(process.execPath, ["--version"]).pid;

for (const [what, suffix, minutes, isDeleted] of [
  ["a killed process two minutes ago", () => `.${endedPid()}-0123abcd.part`, 2, true],
  ["a killed process just now", () => `.${endedPid()}-0123abcd.part`, 0, false],
  ["a running process two minutes ago", () => `.${process.pid}-0123abcd.part`, 2, false],
  ["a running process two hours ago", () => `.${process.pid}-0123abcd.part`, 120, true],
  ["an earlier version two hours ago", () => ".part", 120, true],
] as const)
  test(`the next backup ${isDeleted ? "deletes" : "keeps"} an unfinished one last written by ${what}`, async () => {
    const leftover = `${file}${suffix()}`;
    await writeFile(leftover, "half");
    await utimes(leftover, minutesAgo(minutes), minutesAgo(minutes));
    const output = await openOutput(file);
    await finish(output, "complete");
    await output.keep();
    const expected = isDeleted ? [] : [path.basename(leftover)];
    assert.deepEqual(await readdir(folder), ["nightly.backup", ...expected]);
  });

test("unfinished backups with other names are kept", async () => {
  const other = path.join(folder, "weekly.backup.part");
  await writeFile(other, "half");
  await utimes(other, minutesAgo(120), minutesAgo(120));
  await (await openOutput(file)).discard();
  assert.ok((await readdir(folder)).includes("weekly.backup.part"));
});
