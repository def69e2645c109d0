import { createPublicKey, type KeyObject } from "node:crypto";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { collectGlibc } from "./collect-glibc.ts";
import { collectLicenses } from "./collect-licenses.ts";
import { filesOf, nodePackage, productionPackages } from "./locked-packages.ts";
import type { Platform } from "./platforms.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** What the server reads at run time, as in the Dockerfile. `dist` is built. */
const OWN_FILES = [
  "package.json",
  "LICENSE",
  "signalbox.mjs",
  "dist/web",
  "dist/widget",
  "dist/reporter",
  "dist/cli",
  "build/build-if-needed.ts",
  "build/builds.ts",
  "src/server",
  "src/shared",
];

/** Node loads none of these from packages. */
const UNUSED_FILES = /\.(map|[cm]?ts|tsx|md|markdown|flow|a|html)$|^\.|\/(pkgconfig|prebuilds)$/;

/** Parts of PostgreSQL for programs that are compiled against it, and for uuid-ossp and xml2, which Signalbox does not use. */
const UNUSED_POSTGRES = /\/lib(ecpg|pgtypes|ossp-uuid|xslt)[^/]*$|\/(psqlrc|pg_service\.conf)\.sample$/;

type Options = { platform: Platform; version: string; signingKey: KeyObject; downloads: string };

/** Fills the empty folder `target` with everything that the program needs: Node, PostgreSQL, the server, the web app. */
export async function assembleProgram(target: string, options: Options): Promise<void> {
  const { platform, version, signingKey, downloads } = options;
  for (const file of OWN_FILES)
    await cp(path.join(ROOT, file), path.join(target, file), { recursive: true, filter: isNotTest });
  await writeVersion(path.join(target, "package.json"), version);
  await copyBundle(target);
  const packages = await productionPackages(platform);
  for (const entry of packages)
    await copyPackage(await filesOf(entry, downloads), path.join(target, entry.place));
  const postgres = `node_modules/${platform.postgres}/native`;
  await makePostgresLinks(path.join(target, postgres));

  const node = await filesOf(await nodePackage(platform), downloads);
  await mkdir(path.join(target, "bin"));
  await cp(path.join(node, "bin/node"), path.join(target, "bin/node"));
  await chmod(path.join(target, "bin/node"), 0o755);
  await collectGlibc(platform, path.join(target, "glibc"), downloads);
  await collectLicenses(target, { packages, node, downloads });

  for (const file of ["start.mjs", "install.mjs"]) {
    const text = await readFile(path.join(import.meta.dirname, "program", file), "utf8");
    await writeFile(path.join(target, file), text.replace("@POSTGRES@", postgres));
  }
  const publicKey = createPublicKey(signingKey).export({ type: "spki", format: "pem" });
  await writeFile(
    path.join(target, "program.json"),
    `${JSON.stringify({ version, platform: platform.name, public_key: publicKey }, undefined, 2)}\n`,
  );
}

const isNotTest = (source: string) => !source.endsWith(".test.ts");

async function writeVersion(file: string, version: string): Promise<void> {
  const manifest = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
}

/** The bundle cannot differ from its sources here, so none of them is compared at each start. */
async function copyBundle(target: string): Promise<void> {
  const folder = path.join(ROOT, "dist/server");
  const { main } = JSON.parse(await readFile(path.join(folder, "bundle.json"), "utf8")) as { main: string };
  await mkdir(path.join(target, "dist/server"), { recursive: true });
  for (const file of await filesOfBundle(folder, main))
    await cp(path.join(folder, file), path.join(target, "dist/server", file));
  await writeFile(path.join(target, "dist/server/bundle.json"), JSON.stringify({ main, sources: {} }));
}

/** The folder may also contain files of earlier bundles. */
async function filesOfBundle(folder: string, main: string): Promise<Set<string>> {
  const files = new Set([main]);
  for (const file of files)
    for (const [, name = ""] of (await readFile(path.join(folder, file), "utf8")).matchAll(
      /"\.\/([\w-]+\.mjs)"/g,
    ))
      files.add(name);
  return files;
}

async function copyPackage(source: string, target: string): Promise<void> {
  const isUsed = (file: string) => {
    const name = file.slice(source.length);
    if (name === "") return true;
    // Packages inside this one have entries of their own.
    if (name.startsWith("/node_modules")) return false;
    return !UNUSED_FILES.test(path.basename(name)) && !UNUSED_FILES.test(name) && !UNUSED_POSTGRES.test(name);
  };
  await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: isUsed });
}

/** npm packages cannot contain links, so PostgreSQL's lists them. */
async function makePostgresLinks(native: string): Promise<void> {
  const text = await readFile(path.join(native, "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = path.join(path.dirname(native), target);
    await rm(link, { force: true });
    if (!UNUSED_POSTGRES.test(target)) await symlink(path.relative(path.dirname(target), source), link);
  }
  for (const name of await readdir(path.join(native, "bin")))
    await chmod(path.join(native, "bin", name), 0o755);
}
