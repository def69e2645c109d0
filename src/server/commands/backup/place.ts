import type { Output } from "./output.ts";

/** Holds several backups by name. */
export type BackupStore = {
  /** The address of a backup, without credentials. */
  addressOf(name: string): string;
  /** `signal` ends all requests for this backup, except the one that discards it. */
  open(name: string, signal?: AbortSignal): Promise<Output>;
  /** The names of all backups in it, in any order. Other files are left out. */
  list(signal?: AbortSignal): Promise<string[]>;
  remove(name: string, signal?: AbortSignal): Promise<void>;
  close(): void;
};
