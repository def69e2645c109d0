import assert from "node:assert/strict";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { useSignedIn } from "./support/signed-in.ts";

const s = await useSignedIn();
const { sbx, json } = s;

test("release create makes a release known without a deploy", async () => {
  const release = await json(["release", "create", "4.13.0"]);
  assert.deepEqual([release.version, release.deploys], ["4.13.0", []]);
  assert.equal((await json(["release", "create", "4.13.0"])).id, release.id);
});

test("release deploy records a deploy, also with a project token", async () => {
  const args = ["release", "deploy", "4.13.0", "-e", "production", "--commit", "9f2c1e7"];
  const url = "https://ci.example.com/runs/1";
  const { code, stdout } = await sbx([...args, "--build-url", url], { env: { SIGNALBOX_TOKEN: s.sender } });
  assert.deepEqual([code, stdout], [0, "Release 4.13.0 is deployed to production.\n"]);
  const [{ deploys }] = await json(["releases"]);
  assert.deepEqual(
    [deploys[0].environment, deploys[0].commit, deploys[0].url],
    ["production", "9f2c1e7", url],
  );
  assert.match((await sbx(["releases"])).stdout, /^\S+\t0\t0\t0\t0\t4\.13\.0\n$/);
});

test("wrong values of a deploy name their option", async () => {
  const { code, stderr } = await sbx([
    "release",
    "deploy",
    "1",
    "--build-url",
    "ftp://x",
    "--deployed-at",
    "soon",
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /--build-url must/);
  assert.match(stderr, /--deployed-at must/);
  assert.deepEqual(await json(["releases"]), []);
});

const MAP = JSON.stringify({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA" });

async function makeBuild(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(s.program.folder, "build-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

const namesOf = (artifacts: { name: string }[]) => artifacts.map(({ name }) => name).sort();

test("sourcemaps upload sends scripts and maps with their paths, with a project token", async () => {
  const folder = await makeBuild({
    "app.js": "1",
    "app.js.map": MAP,
    "chunks/späte datei.mjs": "2",
    "index.html": "",
    "node_modules/x/x.js": "3",
  });
  const { code, stdout } = await sbx(["sourcemaps", "upload", folder, "--release", "web@4/13"], {
    env: { SIGNALBOX_TOKEN: s.sender },
  });
  assert.deepEqual([code, stdout], [0, "Uploaded 3 files (0.0 MiB) to release web@4/13.\n"]);
  const path = `${s.board.url}/releases/${encodeURIComponent("web@4/13")}/artifacts`;
  const { body } = await s.board.admin.get(path);
  assert.deepEqual(namesOf(body.data), ["~/app.js", "~/app.js.map", "~/chunks/späte datei.mjs"]);
});

test("sourcemaps upload sends many files in several requests, below a prefix", async () => {
  const names = Array.from({ length: 130 }, (_, n) => `chunk-${n}.js.map`);
  const folder = await makeBuild(Object.fromEntries(names.map((name) => [name, MAP])));
  const artifacts = await json(["sourcemaps", "upload", folder, "--release", "1", "--prefix", "/assets/"]);
  assert.deepEqual(namesOf(artifacts), names.map((name) => `~/assets/${name}`).sort());
});

test("sourcemaps upload fails without maps, without a folder and without a release", async () => {
  const folder = await makeBuild({ "app.js": "1" });
  const { code, stderr } = await sbx(["sourcemaps", "upload", folder, "--release", "1"]);
  assert.equal(code, 1);
  assert.match(stderr, /There are no source maps/);
  assert.equal((await sbx(["sourcemaps", "upload", "/nowhere", "--release", "1"])).code, 2);
  assert.equal((await sbx(["sourcemaps", "upload", folder])).code, 2);
  assert.equal((await sbx(["sourcemaps", "upload", folder, "--release", ""])).code, 2);
  assert.deepEqual(await json(["releases"]), []);
});
