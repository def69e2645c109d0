import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A data folder whose attachments are on another file system: on Linux, one in memory. */
export async function attachmentsElsewhere(dataDir: string): Promise<() => Promise<void>> {
  const elsewhere = await mkdtemp(
    path.join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "signalbox-attachments-"),
  );
  await mkdir(dataDir, { recursive: true });
  await symlink(elsewhere, path.join(dataDir, "attachments"));
  return () => rm(elsewhere, { recursive: true, force: true });
}
