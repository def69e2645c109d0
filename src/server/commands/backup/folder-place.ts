import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../../config/start-error.ts";
import { isBackupName } from "./backup-name.ts";
import { openOutput, type Output } from "./output.ts";
import { removeLeftovers } from "./part-files.ts";
import type { BackupStore } from "./place.ts";

export class FolderPlace implements BackupStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  addressOf(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Also removes what interrupted backups left behind. */
  async open(name: string): Promise<Output> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await removeLeftovers(this.#folder, isBackupName);
    } catch (error) {
      throw new StartError(`${this.#folder} cannot be used: ${(error as Error).message}`, error);
    }
    return openOutput(this.addressOf(name));
  }

  async list(): Promise<string[]> {
    return (await readdir(this.#folder)).filter(isBackupName);
  }

  async remove(name: string): Promise<void> {
    await rm(path.join(this.#folder, name), { force: true });
  }

  close(): void {}
}
