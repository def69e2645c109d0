import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { serve } from "../../test/support/live-streams.ts";
import { openTestApp } from "../../test/support/test-app.ts";

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), "signalbox-cli-"));
await run(process.execPath, [path.join(import.meta.dirname, "../scripts/build-downloads.ts"), folder]);
const t = await openTestApp({}, { commandLine: folder });
const url = await serve(t);
after(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

test("the package that a server offers can be installed into an empty folder, and runs", async () => {
  const app = await mkdtemp(path.join(folder, "app-"));
  await writeFile(path.join(app, "package.json"), "{}");
  const cache = path.join(folder, "npm-cache");
  const args = ["install", "--no-audit", "--no-fund", "--cache", cache, `${url}/cli/sbx.tgz`];
  await run("npm", args, { cwd: app });
  const { stdout } = await run(path.join(app, "node_modules/.bin/sbx"), ["--version"]);
  assert.equal(stdout, `${manifest.version}\n`);
});

test("the package contains the program in one file, and what npm would publish", async () => {
  const { stdout } = await run("tar", ["tzf", path.join(folder, "sbx.tgz")]);
  const names = ["LICENSE", "README.md", "dist/sbx.js", "package.json"];
  assert.deepEqual(
    stdout.trim().split("\n").sort(),
    names.map((name) => `package/${name}`),
  );
});
