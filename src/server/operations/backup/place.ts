import type { Output } from "./output.ts";

/** Holds several backups by name. */
export type Place = {
  /** The address of a backup, without credentials. */
  addressOf(name: string): string;
  open(name: string): Promise<Output>;
  /** The names of all backups in it, in any order. Other files are left out. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
};
