import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { badGateway } from "../../answers/errors.ts";
import type { Storage } from "./storage.ts";

/** Smaller files are read into memory, larger ones are read twice. */
const MAX_BYTES_IN_MEMORY = 1_048_576;

export type StoredFile = {
  storage_key: string;
  size: number;
  /** SHA-256 of the content in hexadecimal digits, or at least the first 32 of them. */
  sha256: string;
};

/**
 * The file's content, compared with its hash before anything is sent: a response that has begun cannot become an error.
 * Undefined if there is no such file; 502 if its content differs.
 */
export async function openVerified(
  storage: Storage,
  file: StoredFile,
): Promise<Buffer | Readable | undefined> {
  const stream = await storage.open(file.storage_key);
  if (!stream) return undefined;
  const content = file.size <= MAX_BYTES_IN_MEMORY ? ([] as Buffer[]) : undefined;
  if (!(await isIntact(stream, file, content))) throw damaged(file);
  return content ? Buffer.concat(content) : storage.open(file.storage_key);
}

/** Reads the stream, and appends what it reads to `content`. */
export async function isIntact(
  stream: Readable,
  { size, sha256 }: Pick<StoredFile, "size" | "sha256">,
  content?: Buffer[],
): Promise<boolean> {
  const hash = createHash("sha256");
  let read = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > size) return false;
    hash.update(chunk);
    content?.push(chunk);
  }
  return read === size && hash.digest("hex").startsWith(sha256);
}

const damaged = ({ storage_key }: StoredFile) =>
  badGateway(
    "The file is damaged in storage. An administrator can restore it from a backup.",
    new Error(`the stored file ${storage_key} differs from the one that was uploaded`),
  );
