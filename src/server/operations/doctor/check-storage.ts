import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Config } from "../../config/config.ts";
import { uploadsFolder } from "../../files/storage/open-storage.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Puts a small file, reads it, and takes it away again. */
export async function checkStorage(
  storage: Storage,
  { dataDir, storage: store }: Pick<Config, "dataDir" | "storage">,
): Promise<Finding> {
  const what = "attachments";
  const where = store ? `bucket ${store.bucket}` : path.join(dataDir, "attachments");
  if (!store) {
    const owner = await stat(dataDir).catch(() => undefined);
    if (!owner) return ok(what, `${where}, made when it is needed`);
    // A folder made by another account, such as root, would be closed to the server.
    if (process.getuid && owner.uid !== process.getuid())
      return warn(what, `${where} was not tried`, "Run this as the account of the server.");
  }
  try {
    await probe(storage, store ? tmpdir() : uploadsFolder(dataDir));
    return ok(what, `${where} can be written and read`);
  } catch (error) {
    return fail(
      what,
      `${where} does not work: ${(error as Error).message}`,
      store
        ? "Check STORAGE_URL and the AWS variables, and that the key may put, get, list and delete objects."
        : "Let the account of the server write there, and see whether the disk is full.",
    );
  }
}

async function probe(storage: Storage, beside: string) {
  await mkdir(beside, { recursive: true });
  const folder = await mkdtemp(path.join(beside, "signalbox-probe-"));
  const key = newKey();
  try {
    const content = randomBytes(1_000);
    const file = path.join(folder, "probe");
    await writeFile(file, content);
    await storage.put(key, file);
    const stream = await storage.open(key);
    if (!stream || !(await buffer(stream)).equals(content)) throw new Error("it gives back something else");
  } finally {
    await storage.remove(key).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}
