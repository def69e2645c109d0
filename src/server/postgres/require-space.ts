import { statfs } from "node:fs/promises";

/** Throws if this folder's file system has less space. Some network file systems do not say how much they have. */
export async function requireSpace(
  folder: string,
  megabytes: number,
  purpose = "a new database",
): Promise<void> {
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk?.blocks) return;
  const free = Math.floor((disk.bavail * disk.bsize) / 1_048_576);
  if (free < megabytes)
    throw new Error(`Only ${free} MB are free in ${folder}, but ${purpose} needs ${megabytes} MB.`);
}
