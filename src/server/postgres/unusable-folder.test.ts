import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { mountSmallDisk } from "../../../test/support/small-disk.ts";
import { startEmbedded } from "./embedded.ts";
import { requireSpace } from "./require-space.ts";
import { temporaryFolder } from "../../../test/support/embedded-server.ts";
import { runTool } from "./tool.ts";

test("a folder with too little space for a database is refused with the amount of free space", async (t) => {
  const folder = await temporaryFolder(t);
  await requireSpace(folder, 1);
  await assert.rejects(
    requireSpace(folder, 1e12),
    /^Error: Only \d+ MB are free in .*, but a new database needs 1000000000000 MB\.$/,
  );
});

test("a folder that cannot be made is refused with the reason", async (t) => {
  const folder = await temporaryFolder(t);
  const disk = mountSmallDisk(folder, 1);
  if (disk) execFileSync("mount", ["-o", "remount,ro", folder]);
  else await writeFile(join(folder, "new"), "a file");
  try {
    await assert.rejects(
      startEmbedded({ dataDir: join(folder, "new", "data"), log: () => {} }),
      disk ? /cannot be used: EROFS: read-only file system/ : /cannot be used: ENOTDIR: not a directory/,
    );
  } finally {
    disk?.unmount();
  }
});

test("the reason is the error that a program prints, without the steps it took afterwards", async () => {
  const run = async (text: string) =>
    runTool(process.execPath, ["-e", `console.error(${JSON.stringify(text)}); process.exit(1)`], {
      account: undefined,
      cwd: process.cwd(),
    });
  const full =
    "creating\n2026-11-23 18:36:13 UTC [7] FATAL:  could not write: No space left on device\n\t\ninitdb: removing contents";
  await assert.rejects(run(full), /^Error: could not write: No space left on device$/);
  await assert.rejects(
    run("initdb: error: could not access the folder"),
    /^Error: could not access the folder$/,
  );
  await assert.rejects(run("one\n\ntwo\n"), /^Error: one two$/);
  await assert.rejects(run(""), /^Error: \S+ exited with 1\.$/);
});
