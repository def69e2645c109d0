import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openReports } from "../../../../test/support/reports.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { attachmentsFolder } from "./open-storage.ts";

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test("other accounts of the machine can read neither attachments nor their folders", async () => {
  const t = await openTestApp();
  try {
    const p = await openReports(t);
    const report = await p.create();
    for (const [filename, content] of [
      ["a.txt", "text"],
      ["a.png", await png()],
    ] as const) {
      const file = { name: "file", filename, content };
      assert.equal((await upload(p.admin, `${p.of(report)}/attachments`, [file])).status, 201);
    }
    const folder = attachmentsFolder(t.dataDir);
    assert.equal(await modeOf(folder), "700");
    const found = { folders: 0, files: 0 };
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      assert.equal(await modeOf(file), entry.isDirectory() ? "700" : "600", file);
      found[entry.isDirectory() ? "folders" : "files"]++;
    }
    assert.ok(found.folders >= 2 && found.files >= 2);
  } finally {
    await t.close();
  }
});

test("a server that starts closes a folder of attachments that others can read", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-modes-"));
  const folder = attachmentsFolder(dataDir);
  await mkdir(folder, { mode: 0o755 });
  const t = await openTestApp({ DATA_DIR: dataDir });
  try {
    assert.equal(await modeOf(folder), "700");
  } finally {
    await t.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
