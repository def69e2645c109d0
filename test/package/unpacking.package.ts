import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { waitUntil } from "../support/eventually.ts";
import { makePlace, PACKAGE, runProgram, type Place } from "./packaged-program.ts";

const { PATH = "" } = process.env;

async function placeOf(t: TestContext): Promise<Place> {
  const place = await makePlace();
  t.after(() => place.remove());
  return place;
}

const help = ({ folder }: Place, env: Record<string, string>, file = PACKAGE) =>
  runProgram([file, "--help"], { cwd: folder, env: { PATH, ...env } });

/** The names of the unpacked versions, and of folders that were left unfinished. */
const unpackedIn = (dataDir: string) => readdir(path.join(dataDir, "program"));

describe("the file", () => {
  let place: Place;
  before(async () => (place = await makePlace()));
  after(() => place.remove());

  test("is at most 120 MB", async () => {
    assert.ok((await stat(PACKAGE)).size <= 120e6);
  });

  test("runs the commands of the program from DATA_DIR, and unpacks itself once", async () => {
    const first = await help(place, { DATA_DIR: place.dataDir }).ended;
    assert.equal(first.code, 0, first.output);
    assert.match(first.output, /^Unpacking Signalbox .*\nUsage: signalbox COMMAND\n/);
    const second = await help(place, { DATA_DIR: place.dataDir }).ended;
    assert.match(second.output, /^Usage: signalbox COMMAND\n/);
    assert.equal((await unpackedIn(place.dataDir)).length, 1);
  });

  test("contains the licenses of what it contains", async () => {
    const [name = ""] = await unpackedIn(place.dataDir);
    const text = await readFile(
      path.join(place.dataDir, "program", name, "THIRD-PARTY-LICENSES.txt"),
      "utf8",
    );
    for (const part of [
      "Node.js is licensed",
      "PostgreSQL Global Development Group",
      "fastify",
      "react",
      "sharp",
    ])
      assert.ok(text.includes(part), part);
  });
});

test("the file unpacks itself to the DATA_DIR of .env, plain or quoted", async (t) => {
  const place = await placeOf(t);
  for (const text of [
    "DATA_DIR=elsewhere # a comment\n",
    'PORT=3000\nexport DATA_DIR = "elsewhere"\n',
    "DATA_DIR='elsewhere'\n",
  ]) {
    await writeFile(path.join(place.folder, ".env"), text);
    const { code, output } = await help(place, {}).ended;
    assert.equal(code, 0, output);
    assert.deepEqual((await readdir(place.folder)).toSorted(), [".env", "elsewhere"], text);
  }
});

test("two first starts at once both run, and unpack one folder", async (t) => {
  const place = await placeOf(t);
  const runs = [1, 2].map(() => help(place, { DATA_DIR: place.dataDir }).ended);
  for (const { code, output } of await Promise.all(runs)) assert.equal(code, 0, output);
  assert.equal((await unpackedIn(place.dataDir)).length, 1);
});

test("a first start that is killed while it unpacks leaves nothing that the next start uses or keeps", async (t) => {
  const place = await placeOf(t);
  const killed = help(place, { DATA_DIR: place.dataDir });
  const names = () => unpackedIn(place.dataDir).catch((): string[] => []);
  await waitUntil(
    async () => (await names()).some((name) => name.startsWith(".partial-")),
    "unpacking to start",
  );
  killed.kill("SIGKILL");
  await killed.ended;
  const { code, output } = await help(place, { DATA_DIR: place.dataDir }).ended;
  assert.equal(code, 0, output);
  await waitUntil(async () => (await names()).every((name) => !name.startsWith(".")), "the cleanup");
});

test("unpacking removes old versions, except the last one and one that still runs", async (t) => {
  const place = await placeOf(t);
  const folder = path.join(place.dataDir, "program");
  const versions = ["0.0.1-running", "0.0.2-old", "0.0.3-last"];
  for (const [index, name] of versions.entries()) {
    await mkdir(path.join(folder, name), { recursive: true });
    await utimes(path.join(folder, name), index + 1, index + 1);
  }
  const command = ["sh", "-c", "while :; do sleep 0.1; done", path.join(folder, "0.0.1-running/start.mjs")];
  const running = runProgram(command, { cwd: place.folder, env: { PATH } });
  t.after(() => running.kill("SIGKILL"));
  assert.equal((await help(place, { DATA_DIR: place.dataDir }).ended).code, 0);
  const left = await unpackedIn(place.dataDir);
  assert.deepEqual(
    versions.filter((name) => left.includes(name)),
    ["0.0.1-running", "0.0.3-last"],
  );
});

test("a damaged file is refused", async (t) => {
  const place = await placeOf(t);
  const file = path.join(place.folder, "signalbox");
  await copyFile(PACKAGE, file);
  await truncate(file, (await stat(file)).size - 1000);
  const { code, output } = await help(place, { DATA_DIR: place.dataDir }, file).ended;
  assert.equal(code, 1);
  assert.match(output, /This file is damaged: download it again\./);
  assert.deepEqual(await unpackedIn(place.dataDir), []);
});

const needsRoot = process.getuid?.() === 0 ? false : "needs root";

test("a full disk is reported and leaves nothing behind", { skip: needsRoot }, async (t) => {
  const place = await placeOf(t);
  await mkdir(place.dataDir);
  const limited =
    'mount -t tmpfs -o size=50m none "$DATA_DIR" && "$0" --help; code=$?; ls -A "$DATA_DIR/program"; exit $code';
  const { code, output } = await runProgram(["unshare", "--mount", "sh", "-c", limited, PACKAGE], {
    cwd: place.folder,
    env: { PATH, DATA_DIR: place.dataDir },
  }).ended;
  assert.equal(code, 1, output);
  assert.match(output, /No space left on device[\s\S]*nothing is left behind\.\n$/);
});

test("a read-only DATA_DIR is reported", { skip: needsRoot }, async (t) => {
  const place = await placeOf(t);
  await mkdir(place.dataDir);
  const readOnly = 'mount -t tmpfs -o ro none "$DATA_DIR" && "$0" --help';
  const { code, output } = await runProgram(["unshare", "--mount", "sh", "-c", readOnly, PACKAGE], {
    cwd: place.folder,
    env: { PATH, DATA_DIR: place.dataDir },
  }).ended;
  assert.equal(code, 1);
  assert.match(output, /signalbox: DATA_DIR cannot be written: .* Set DATA_DIR to a folder/);
});

test("root does not run programs that another account could have changed", { skip: needsRoot }, async (t) => {
  const place = await placeOf(t);
  assert.equal((await help(place, { DATA_DIR: place.dataDir }).ended).code, 0);
  execFileSync("chown", ["nobody", path.join(place.dataDir, "program")]);
  const { code, output } = await help(place, { DATA_DIR: place.dataDir }).ended;
  assert.equal(code, 1);
  assert.match(output, /belongs to another account/);
  await rm(place.dataDir, { recursive: true });
});
