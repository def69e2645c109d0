import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { readExport } from "../../../../test/support/read-export.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await makeProject(t.db, workspace.id);
const folder = await mkdtemp(path.join(tmpdir(), "export-test-"));
after(() => rm(folder, { recursive: true, force: true }));

/** `npm run signalbox -- export`, as an administrator runs it beside the server. */
const run = (...args: string[]) =>
  promisify(execFile)("npm", ["run", "--silent", "signalbox", "--", "export", ...args], {
    cwd: path.join(import.meta.dirname, "../../../.."),
    env: { ...process.env, DATABASE_URL: t.database.url, DATA_DIR: t.dataDir },
    encoding: "buffer",
  }).catch((error: { code: number; stderr: Buffer }) => error);

test("the command writes the archive to a file or to stdout, and records the export", async () => {
  const file = path.join(folder, "out.tar.gz");
  const written = await run("--project", project.key.toLowerCase(), file);
  assert.match(String(written.stderr), /^Exported \d+ objects and 0 files of p\d+ to /i);
  const archive = await readExport(await readFile(file));
  assert.equal(archive.linesOf("lanes").length, 4);
  const piped = (await run("--project", project.key, "-")) as { stdout: Buffer };
  assert.equal((await readExport(piped.stdout)).linesOf("lanes").length, 4);
  const audits = await t.db
    .selectFrom("audit_events")
    .select("details")
    .where("kind", "=", "export.made")
    .execute();
  assert.equal(audits.length, 2);
});

test("a failed export leaves no file", async () => {
  const before = await readdir(folder);
  const unknown = (await run("--project", "NOPE", path.join(folder, "new.tar.gz"))) as { code: number };
  assert.equal(unknown.code, 1);
  const link = path.join(folder, "link");
  await symlink("/dev/full", link);
  const refused = (await run("--project", project.key, link)) as { code: number; stderr: Buffer };
  assert.equal(refused.code, 1);
  assert.match(String(refused.stderr), /is not a regular file/);
  assert.deepEqual((await readdir(folder)).sort(), [...before, "link"].sort());
});
