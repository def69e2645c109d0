import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { noteChange } from "../../record/changed-objects.ts";

const AT_ONCE = 100;

/** Tells webhooks of the releases that are new, each in the transaction that takes it. */
export async function tellOfReleases(db: Db, signal: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore && !signal.aborted)
    isMore = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        delete from new_releases where release_id in (
          select release_id from new_releases order by release_id limit ${AT_ONCE} for update skip locked)
        returning release_id as id`.execute(tx);
      for (const { id } of rows.toSorted((a, b) => a.id - b.id))
        noteChange(tx, { type: "release.created", kind: "release", id });
      return rows.length === AT_ONCE;
    });
}
