import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { findBinaries, installedBinaries } from "./binaries.ts";
import {
  openToOthers,
  postmasterPid,
  query,
  startElsewhere,
  startHere,
  temporaryFolder,
} from "../../../test/support/embedded-server.ts";
import { accountFor } from "./unprivileged-account.ts";

const needsRoot = process.getuid?.() === 0 ? false : "needs root";
const nobody = 65_534;

describe("started by root, PostgreSQL", { skip: needsRoot }, async () => {
  const closed = await temporaryFolder({ after });
  const dataDir = join(closed, "data");

  test("runs as an unprivileged account on data in a folder that only root can enter", async (t) => {
    assert.equal((await stat(closed)).mode & 0o777, 0o700);
    const server = await startHere(t, dataDir);
    await query(server.url, "create table kept as select 1 as answer");
    assert.notEqual((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid, 0);
    assert.equal((await stat(join(dataDir, "postgres"))).uid, 0);
  });

  test("takes over data that root has copied", async (t) => {
    const data = join(dataDir, "postgres", "data");
    for (const name of ["", ...(await readdir(data, { recursive: true }))])
      await chown(join(data, name), 0, 0);
    const server = await startHere(t, dataDir);
    assert.equal(await query(server.url, "select answer from kept"), 1);
  });
});

test(
  "data of an ordinary user can be used by the user, then by root, then by the user again",
  {
    skip: needsRoot || (openToOthers(import.meta.dirname) ? false : "needs a checkout other users can read"),
  },
  async (t) => {
    const dataDir = await temporaryFolder(t);
    await chown(dataDir, nobody, nobody);
    const first = startElsewhere(t, dataDir, nobody);
    const url = await first.answer;
    await query(url, "create table kept as select 1 as answer");
    await first.kill("SIGTERM");

    const second = await startHere(t, dataDir);
    assert.equal(second.url, url);
    assert.equal((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid, nobody);
    await second.stop();

    const third = startElsewhere(t, dataDir, nobody);
    assert.equal(await query(await third.answer, "select answer from kept"), 1);
  },
);

test(
  "PostgreSQL in a checkout that its account cannot enter, installed without scripts, is copied to a cache",
  { skip: needsRoot },
  async (t) => {
    const folder = await temporaryFolder(t);
    const closed = join(folder, "closed");
    cpSync(join(installedBinaries(), ".."), closed, { recursive: true, verbatimSymlinks: true });
    await removeLinks(closed);
    await chmod(closed, 0o700);
    await chmod(folder, 0o711);
    const account = await accountFor(folder);
    const { bin, major } = await findBinaries(account, [join(folder, "cache")], join(closed, "native"));
    assert.equal(bin.startsWith(join(folder, "cache")), true);
    assert.equal(major, "18");
  },
);

describe("with a program that needs a link, in place of PostgreSQL,", () => {
  test("links that the package's install script did not create are created", async (t) => {
    const installed = await standIn(await temporaryFolder(t));
    assert.deepEqual(await findBinaries(undefined, [], installed), {
      bin: join(installed, "bin"),
      major: "18",
    });
  });

  test("a copy is made once, and again if it is broken", { skip: needsRoot }, async (t) => {
    const folder = await temporaryFolder(t);
    const installed = await standIn(join(folder, "closed"));
    await chmod(folder, 0o711);
    const cache = join(folder, "cache");
    const account = await accountFor(folder);
    const first = await findBinaries(account, [cache], installed);
    const { ino } = await stat(first.bin);
    assert.deepEqual(await findBinaries(account, [cache], installed), first);
    assert.equal((await stat(first.bin)).ino, ino);
    await rm(join(first.bin, "postgres"));
    assert.deepEqual(await findBinaries(account, [cache], installed), first);
    assert.equal((await readdir(cache)).length, 1);
  });

  test(
    "a folder that another account can write to is not used for the copy",
    { skip: needsRoot },
    async (t) => {
      const folder = await temporaryFolder(t);
      const installed = await standIn(join(folder, "closed"));
      await chmod(folder, 0o711);
      const [foreign, open, good] = [join(folder, "foreign"), join(folder, "open"), join(folder, "good")];
      await mkdir(foreign);
      await chown(foreign, nobody, nobody);
      await mkdir(open);
      await chmod(open, 0o777);
      const account = await accountFor(folder);
      await assert.rejects(
        findBinaries(account, [foreign, open], installed),
        /can be written by one\): set DATABASE_URL/,
      );
      const { bin } = await findBinaries(account, [foreign, open, good], installed);
      assert.equal(bin.startsWith(good), true);
    },
  );
});

async function removeLinks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(entry.parentPath, entry.name));
  }
}

/** A package like PostgreSQL's, small, in a closed folder, before its install script has run. */
async function standIn(folder: string): Promise<string> {
  const native = join(folder, "native");
  await mkdir(join(native, "bin"), { recursive: true });
  await mkdir(join(native, "lib"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ version: "1" }));
  await writeFile(
    join(native, "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/so.1", target: "native/lib/so" }]),
  );
  await writeFile(join(native, "lib", "so.1"), "postgres (PostgreSQL) 18.4\n");
  await writeFile(join(native, "bin", "postgres"), '#!/bin/sh\nexec cat "${0%/*}/../lib/so"\n', {
    mode: 0o755,
  });
  await chmod(folder, 0o700);
  return native;
}
