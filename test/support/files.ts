import { readdir } from "node:fs/promises";
import path from "node:path";
import type { TestApp } from "./test-app.ts";

/** The keys of all stored files. */
export async function storedKeys({ storage }: Pick<TestApp, "storage">): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

/** The keys of all files that belong to attachments. */
export async function rowKeys({ db }: Pick<TestApp, "db">): Promise<string[]> {
  const rows = await db.selectFrom("attachments").select("storage_key").execute();
  return rows.map((row) => row.storage_key).sort();
}

/** The temporary files of uploads. */
export async function temporaryFiles({ dataDir }: Pick<TestApp, "dataDir">): Promise<string[]> {
  return readdir(path.join(dataDir, "attachments", "uploads"), { recursive: true }).catch(() => []);
}
