import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";

/** Stores the files of attachments and profile pictures. Keys come from `newKey`, never from a client. Files never change. */
export type Storage = {
  /** Stores the file under the key and may move it away. Once this returns, the file survives a power cut. */
  put(key: string, file: string): Promise<void>;
  /** The file's bytes, or undefined if there is no such file. */
  open(key: string): Promise<Readable | undefined>;
  /** Does nothing if there is no such file. */
  remove(key: string): Promise<void>;
  /** Every stored file, in any order. */
  list(): AsyncIterable<StorageEntry>;
  close(): void;
};

/** The store returned an error or did not answer. The operation may or may not have been executed. */
export class StorageUnavailable extends Error {
  readonly code = "STORAGE_UNAVAILABLE";
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export type StorageEntry = { key: string; storedAt: Date };

/** An unguessable, unique key. */
export function newKey(): string {
  return randomUUID();
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Anything else in the folder or the bucket was not stored by this server and must not be touched. */
export function isKey(name: string): boolean {
  return KEY.test(name);
}
