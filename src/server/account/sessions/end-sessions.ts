import { endSessions, isOpen, recordSessionsEnded } from "../../access/sessions.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import type { OwnSession } from "./list-sessions.ts";

/** Ends a session of the user; returns whether it is the caller's own. 404 if the user has no such session. */
export async function endSession(db: Db, own: OwnSession, sessionId: number): Promise<boolean> {
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

/** Ends all sessions of the user except the caller's own. */
export async function endOtherSessions(db: Db, own: OwnSession): Promise<void> {
  await db.transaction().execute((tx) => endSessions(tx, own.user_id, own.id_hash));
}
