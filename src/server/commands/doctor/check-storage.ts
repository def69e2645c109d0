import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Config } from "../../config/config.ts";
import { attachmentsFolder, uploadsFolder } from "../../files/storage/open-storage.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Stores a small file, reads it and removes it. */
export async function checkStorage(
  storage: Storage,
  { dataDir, storage: store }: Pick<Config, "dataDir" | "storage">,
): Promise<Finding> {
  const what = "attachments";
  const where = store ? `bucket ${store.bucket}` : attachmentsFolder(dataDir);
  if (!store) {
    const owner = await stat(dataDir).catch(() => undefined);
    if (!owner) return ok(what, `${where}, created when needed`);
    // The test would create folders that belong to this account, such as root, and the server could not use them.
    if (process.getuid && owner.uid !== process.getuid())
      return warn(what, `${where} was not tested`, "Run doctor as the account that runs the server.");
  }
  try {
    await probe(storage, store ? tmpdir() : uploadsFolder(dataDir));
    if (!store && (await isOpenToOthers(where)))
      return warn(what, `other accounts can read ${where}`, `Remove their permission: chmod go-rwx ${where}`);
    return ok(what, `${where} is readable and writable`);
  } catch (error) {
    return fail(
      what,
      `${where} does not work: ${(error as Error).message}`,
      store
        ? "Check STORAGE_URL and the AWS variables, and whether the key may put, get, list and delete objects."
        : "Give the server's account write access, and check whether the disk is full.",
    );
  }
}

async function isOpenToOthers(folder: string): Promise<boolean> {
  // Windows has no modes.
  return process.platform !== "win32" && ((await stat(folder)).mode & 0o077) !== 0;
}

async function probe(storage: Storage, beside: string) {
  await mkdir(beside, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(beside, "signalbox-probe-"));
  const key = newKey();
  try {
    const content = randomBytes(1_000);
    const file = path.join(folder, "probe");
    await writeFile(file, content);
    await storage.put(key, file);
    const stream = await storage.open(key);
    if (!stream || !(await buffer(stream)).equals(content))
      throw new Error("the file that was read differs from the one stored");
  } finally {
    await storage.remove(key).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}
