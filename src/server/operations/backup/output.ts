import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { StartError } from "../../config/start-error.ts";

/** Where a backup goes: a file that appears when it is whole, or stdout. */
export type Output = {
  stream: Writable;
  /** Once the stream has finished: it is on disk under its name. */
  keep(): Promise<void>;
  discard(): Promise<void>;
};

/**
 * `-` is stdout. A file is written beside its place as `FILE.part`, readable for its owner alone (it holds hashes of
 * passwords and tokens), synced, and renamed; until then an older file of the name stays as it is.
 */
export async function openOutput(file: string): Promise<Output> {
  if (file === "-") return standardOutput();
  const part = `${file}.part`;
  const handle = await createNew(part).catch((error: Error) => {
    throw new StartError(`${file} cannot be written: ${error.message}`, error);
  });
  return {
    stream: handle.createWriteStream({ flush: true, autoClose: true }),
    keep: async () => {
      await rename(part, file);
      if (process.platform === "win32") return;
      const folder = await open(path.dirname(path.resolve(file)), "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    discard: () => rm(part, { force: true }),
  };
}

/** What an interrupted run left is removed first: a link in its place is not followed. */
async function createNew(part: string) {
  await rm(part, { force: true });
  return open(part, "wx", 0o600);
}

function standardOutput(): Output {
  if (process.stdout.isTTY)
    throw new StartError("A backup is no text for a terminal: name a file, or pipe it.");
  // stdout itself is never closed.
  const stream = new PassThrough();
  stream.pipe(process.stdout).on("error", (error) => stream.destroy(error));
  return { stream, keep: async () => {}, discard: async () => {} };
}
