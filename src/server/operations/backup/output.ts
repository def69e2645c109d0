import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { StartError } from "../../config/start-error.ts";

/** The destination of a backup: stdout, or a file that is renamed to its name when complete. */
export type Output = {
  stream: Writable;
  /** Call after the stream has finished. Makes the file durable under its final name. */
  keep(): Promise<void>;
  discard(): Promise<void>;
};

/**
 * `-` is stdout. A file is first written to `FILE.part`, readable only by its owner because it contains password and
 * token hashes, then synced and renamed. Until then, an existing file with that name remains unchanged.
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

/** Removes the leftover of an interrupted run first, so that a symlink in its place is not followed. */
async function createNew(part: string) {
  await rm(part, { force: true });
  return open(part, "wx", 0o600);
}

function standardOutput(): Output {
  if (process.stdout.isTTY)
    throw new StartError(
      "A backup is binary and cannot be written to a terminal. Give a file name or pipe the output.",
    );
  // A separate stream, because process.stdout must not be closed.
  const stream = new PassThrough();
  stream.pipe(process.stdout).on("error", (error) => stream.destroy(error));
  return { stream, keep: async () => {}, discard: async () => {} };
}
