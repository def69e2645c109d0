import { lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { StartError } from "../../config/start-error.ts";
import { partOf, removeLeftovers } from "./part-files.ts";

/** The destination of a backup, which appears under its name only when it is complete. */
export type Output = {
  stream: Writable;
  /** Call after the stream has finished. Makes the backup durable under its final name. */
  keep(): Promise<void>;
  discard(): Promise<void>;
};

/**
 * `-` is stdout. A file is first written under a name of its own, readable only by its owner because it contains password
 * and token hashes, then synced and renamed. Until then, an existing file with that name remains unchanged. If several
 * backups write to one name, the last one to finish is kept, complete. Throws StartError if there is anything but a regular
 * file with that name.
 */
export async function openOutput(file: string): Promise<Output> {
  if (file === "-") return standardOutput();
  await requireRegular(file);
  const part = partOf(file);
  const refuse = (error: Error) => {
    throw cannotWrite(file, error);
  };
  await removeLeftovers(path.dirname(file), (name) => name === path.basename(file)).catch(refuse);
  // `wx` does not follow a symbolic link.
  const handle = await open(part, "wx", 0o600).catch(refuse);
  return {
    stream: handle.createWriteStream({ flush: true, autoClose: true }),
    keep: async () => {
      await requireRegular(file);
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

/** Renaming would silently replace a device, a pipe or a symbolic link. */
async function requireRegular(file: string) {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw cannotWrite(file, error);
  });
  if (stats && !stats.isFile())
    throw new StartError(`${file} is not a regular file. Choose another file name.`);
}

/** A full disk, an exceeded quota or file size, a removed disk, a closed pipe. Errors of the database have other codes. */
const CANNOT_WRITE = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EROFS", "EPIPE"]);

/** The error as one line, if its cause is the destination of the backup. */
export function explainWriteError(file: string, error: unknown): unknown {
  const isOurs = error instanceof Error && CANNOT_WRITE.has((error as NodeJS.ErrnoException).code ?? "");
  return isOurs ? cannotWrite(file === "-" ? "The output" : file, error) : error;
}

const cannotWrite = (file: string, error: Error) =>
  new StartError(`${file} cannot be written: ${error.message}`, error);

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
