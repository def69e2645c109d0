import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";

/** Where the files of attachments and profile pictures are kept. Keys are ours (newKey), never a client's name; a file never changes. */
export type Storage = {
  /** Keeps the file for good, and may take it away from its place. When this returns it survives a power cut. */
  put(key: string, file: string): Promise<void>;
  /** The file's bytes, or undefined when there is no such file. */
  open(key: string): Promise<Readable | undefined>;
  /** A file that is not there is fine. */
  remove(key: string): Promise<void>;
  /** Every file there is, in any order. */
  list(): AsyncIterable<StoredFile>;
  close(): void;
};

export type StoredFile = { key: string; storedAt: Date };

/** A key nobody can guess and no two files share. */
export function newKey(): string {
  return randomUUID();
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Anything else in the folder or the bucket is not ours to touch. */
export function isKey(name: string): boolean {
  return KEY.test(name);
}
