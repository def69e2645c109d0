import { mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A data folder whose attachments are on another file system: on Linux, one in memory or that of /tmp. */
export async function attachmentsElsewhere(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const elsewhere = await mkdtemp(path.join(await folderElsewhere(dataDir), "signalbox-attachments-"));
  await symlink(elsewhere, path.join(dataDir, "attachments"));
  return () => rm(elsewhere, { recursive: true, force: true });
}

async function folderElsewhere(dataDir: string): Promise<string> {
  const { dev } = await stat(dataDir);
  for (const folder of ["/dev/shm", "/tmp"]) {
    const stats = await stat(folder).catch(() => undefined);
    if (stats && stats.dev !== dev) return folder;
  }
  return tmpdir();
}
