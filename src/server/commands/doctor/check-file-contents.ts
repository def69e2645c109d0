import type pg from "pg";
import { isIntact, type StoredFile } from "../../files/storage/open-verified.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { fail, ok, type Finding } from "./finding.ts";

/** Reading all files of a large installation would take hours; `backup` does that. */
const BUDGET_MS = 60_000;

/** At most this many damaged files are named. */
const MAX_NAMED = 10;

/** Reads the stored files, the newest first, and compares them with the hashes in their rows. */
export async function checkFileContents(
  client: pg.Client,
  storage: Storage,
  budgetMs = BUDGET_MS,
): Promise<Finding> {
  const { rows } = await client.query<StoredFile & { name: string }>(FILES);
  const deadline = performance.now() + budgetMs;
  const damaged: string[] = [];
  let read = 0;
  for (const file of rows) {
    if (performance.now() > deadline) break;
    const stream = await storage.open(file.storage_key);
    if (!stream) continue;
    read++;
    if (!(await isIntact(stream, file))) damaged.push(`${file.name} (${file.storage_key})`);
    stream.destroy();
  }
  const what = `${read} of ${rows.length} were read`;
  if (damaged.length === 0) return ok("contents", `${what}, and all are as uploaded`);
  const more = damaged.length > MAX_NAMED ? `, and ${damaged.length - MAX_NAMED} more` : "";
  return fail(
    "contents",
    `${what}, and ${damaged.length} are damaged: ${damaged.slice(0, MAX_NAMED).join(", ")}${more}`,
    "Restore the files from a backup, and check the disk or the store.",
  );
}

/** The name of a picture's file begins with its hash. */
const FILES = `
select 'attachment ' || id as name, storage_key, size::bigint as size, encode(sha256, 'hex') as sha256, created_at
from attachments
union all
select 'picture of user ' || user_id, storage_key, size::bigint, left(file_name, 32), null
from profile_pictures
union all
select 'source map file ' || id, storage_key, size, encode(sha256, 'hex'), created_at
from artifact_files
order by created_at desc nulls last`;
