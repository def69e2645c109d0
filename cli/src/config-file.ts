import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { wrongUsage } from "./failure.ts";

/** What `login` and `use` store. */
export type StoredConfig = { url?: string; token?: string; project?: string };

export function readConfig(): StoredConfig {
  return readJson(configFile());
}

/** Only the user can read the file, because it contains the token. */
export function writeConfig(config: StoredConfig): void {
  const file = configFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // A new file has this mode from the start, whatever the mode of an earlier one is.
  const whole = `${file}.${randomUUID()}`;
  writeFileSync(whole, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(whole, file);
}

/** Deletes the stored configuration. */
export function deleteConfig(): void {
  rmSync(configFile(), { force: true });
}

export function configFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const folder =
    XDG_CONFIG_HOME || (process.platform === "win32" && APPDATA) || path.join(homedir(), ".config");
  return path.join(folder, "sbx", "config.json");
}

/** The name of the file that sets the project of a folder and the folders in it. */
export const FOLDER_FILE = ".sbx.json";

/**
 * The project that the nearest .sbx.json names. Only the project is read: a repository must not decide which server gets the
 * token.
 */
export function readFolderProject(folder = process.cwd()): string | undefined {
  const { project } = readJson(path.join(folder, FOLDER_FILE));
  if (project !== undefined) return project;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : readFolderProject(parent);
}

function readJson(file: string): StoredConfig {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return {};
    throw wrongUsage(`${file} cannot be read.`);
  }
  try {
    return stringsOf(JSON.parse(text) as Record<string, unknown> | null);
  } catch {
    throw wrongUsage(`${file} is not valid JSON.`);
  }
}

function stringsOf(value: Record<string, unknown> | null): StoredConfig {
  const config: StoredConfig = {};
  for (const name of ["url", "token", "project"] as const) {
    const text = value?.[name];
    if (typeof text === "string" && text !== "") config[name] = text;
  }
  return config;
}
