import { randomBytes } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";

/** `FILE.PROCESS-RANDOM.part`, or `FILE.part` as earlier versions named it. */
const PART = /^(?<target>.+?)(\.(?<pid>\d+)-[0-9a-f]{8})?\.part$/;

/** A backup in progress writes all the time. Processes of other machines and containers may share the folder. */
const MAX_SILENCE_MS = { running: 3_600_000, gone: 60_000 };

/** The name of an unfinished backup. It is unique, so that no two backups write to or rename the same file. */
export function partOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
}

/** Deletes what backups of matching names left in the folder when they were killed. */
export async function removeLeftovers(folder: string, isTarget: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const { target, pid } = PART.exec(name)?.groups ?? {};
    if (target === undefined || !isTarget(target)) continue;
    const file = path.join(folder, name);
    const stats = await lstat(file).catch(() => undefined);
    const maxSilenceMs =
      pid === undefined || isRunning(Number(pid)) ? MAX_SILENCE_MS.running : MAX_SILENCE_MS.gone;
    if (stats && stats.mtimeMs < Date.now() - maxSilenceMs) await rm(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
