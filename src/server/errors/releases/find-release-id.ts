import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";

/** Events store U+FFFD instead of NUL, so a NUL in the name is replaced as well. */
export async function findReleaseId(
  db: Db | Tx,
  { projectId, version }: { projectId: number; version: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from releases
    where project_id = ${projectId}
      and version_hash = sha256(convert_to(${version.replaceAll("\0", "\uFFFD")}, 'UTF8'))`.execute(db);
  return rows[0]?.id;
}
