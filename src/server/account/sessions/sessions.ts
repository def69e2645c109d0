import { sql } from "kysely";
import type { Session } from "../../../shared/sessions.ts";
import { isOpen, recordSessionsEnded } from "../../access/sessions.ts";
import type { Db } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";

/** Whose sessions, and by which of them they are asked for. */
type Own = { user_id: number; id_hash: Buffer };

/** Newest first; those that have expired are none. */
export function listSessions(db: Db, own: Own, query: PageQuery): Promise<Page<Session>> {
  const rows = db
    .selectFrom("sessions")
    .select(["id", sql<boolean>`id_hash = ${own.id_hash}`.as("current")])
    .select(["user_agent", "created_at", "last_used_at", "expires_at"])
    .where("user_id", "=", own.user_id)
    .where(isOpen);
  return readPage(rows, query, "id", { newestFirst: true });
}

/** Ends one, which may be the one that asks: then it answers true. 404 when the person has no such session. */
export async function endSession(db: Db, own: Own, sessionId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom("sessions")
      .where("id", "=", sessionId)
      .where("user_id", "=", own.user_id)
      .where(isOpen)
      .returning("id_hash")
      .executeTakeFirst();
    if (!row) throw notFound("There is no such session.");
    await recordSessionsEnded(tx, own.user_id, 1);
    return row.id_hash.equals(own.id_hash);
  });
}

/** Ends all but the one that asks. */
export async function endOtherSessions(db: Db, own: Own): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom("sessions")
      .where("user_id", "=", own.user_id)
      .where("id_hash", "<>", own.id_hash)
      .where(isOpen)
      .executeTakeFirst();
    const count = Number(ended.numDeletedRows);
    if (count > 0) await recordSessionsEnded(tx, own.user_id, count);
  });
}
