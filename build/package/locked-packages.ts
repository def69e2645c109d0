import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Platform } from "./platforms.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const run = promisify(execFile);

type Locked = {
  version?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/** `place` is the package's folder relative to the repository, such as `node_modules/zod`. */
export type LockedPackage = Locked & { place: string };

const isNode = ({ place }: LockedPackage) => /^node_modules\/node-(bin-)?(linux|darwin|win)-/.test(place);

/** sharp needs it only where it has no binary. It contains packages of its own. */
const FALLBACK = "node_modules/@img/sharp-wasm32";

/** The packages of package-lock.json that the server needs on the platform, without Node itself. */
export async function productionPackages(platform: Platform): Promise<LockedPackage[]> {
  return (await readLock()).filter(
    (entry) =>
      entry.place.startsWith("node_modules/") &&
      entry.dev !== true &&
      entry.link !== true &&
      !isNode(entry) &&
      !entry.place.startsWith(FALLBACK) &&
      isFor(platform, entry),
  );
}

/** The package with Node for the platform. */
export async function nodePackage({ name }: Platform): Promise<LockedPackage> {
  const entry = (await readLock()).find(({ place }) => place === `node_modules/node-${name}`);
  if (!entry) throw new Error(`package-lock.json has no Node for ${name}.`);
  return entry;
}

export async function readLock(): Promise<LockedPackage[]> {
  const { packages } = JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages).map(([place, entry]) => ({ ...entry, place }));
}

function isFor({ os, cpu }: Platform, entry: Locked): boolean {
  return includes(entry.os, os) && includes(entry.cpu, cpu) && includes(entry.libc, "glibc");
}

const includes = (list: string | string[] | undefined, value: string) =>
  list === undefined || [list].flat().includes(value);

/** The folder with the package's files: the installed one, or for other platforms one that is downloaded into `folder`. */
export async function filesOf({ place, version, integrity }: LockedPackage, folder: string): Promise<string> {
  const installed = path.join(ROOT, place);
  if (existsSync(path.join(installed, "package.json"))) return installed;
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const target = path.join(folder, name);
  if (existsSync(path.join(target, "package.json"))) return target;
  await mkdir(target, { recursive: true });
  const args = ["pack", "--json", "--silent", "--pack-destination", folder, `${name}@${version}`];
  const { stdout } = await run("npm", args, { cwd: folder, maxBuffer: 64 * 1024 ** 2 });
  const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[];
  if (!packed || packed.integrity !== integrity)
    throw new Error(`${name}@${version} does not have the checksum in package-lock.json.`);
  await run("tar", ["-xzf", path.join(folder, packed.filename), "--strip-components=1", "-C", target]);
  await rm(path.join(folder, packed.filename));
  return target;
}
