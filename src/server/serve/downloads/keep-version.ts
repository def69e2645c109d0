import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";

/** What a package offers: files named after it, with these endings. */
export type Download = { name: string; endings: readonly string[] };

export type Version = { version: string; files: { name: string; integrity: string }[] };

/**
 * Copies the built files into the data directory, named after their version. A file that exists stays as it is: lockfiles
 * and pages may contain its checksum, so its address has to return the same bytes after an upgrade of the server.
 *
 * @returns the version and the checksums of its files; undefined if the package is not built
 */
export async function keepVersion(
  { name, endings }: Download,
  built: string,
  kept: string,
): Promise<Version | undefined> {
  const description = await readFile(path.join(built, `${name}.json`), "utf8").catch(() => undefined);
  if (description === undefined) return undefined;
  const { version } = JSON.parse(description) as { version: string };
  await mkdir(kept, { recursive: true });
  const files = [];
  for (const ending of endings) {
    const pinned = `${name}-${version}.${ending}`;
    const file = path.join(kept, pinned);
    if (!(await stat(file).catch(() => undefined))) await copy(path.join(built, `${name}.${ending}`), file);
    const checksum = createHash("sha384").update(await readFile(file));
    files.push({ name: pinned, integrity: `sha384-${checksum.digest("base64")}` });
  }
  return { version, files };
}

/** Renames a complete copy, so that a crash never leaves a part of a file. */
async function copy(from: string, to: string) {
  const whole = `${to}.${randomUUID()}`;
  await copyFile(from, whole);
  await rename(whole, to);
}
