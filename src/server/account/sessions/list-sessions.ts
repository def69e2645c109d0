import { sql } from "kysely";
import type { Session } from "../../../shared/sessions.ts";
import { isOpen } from "../../access/sessions.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

/** The caller's user and session. */
export type OwnSession = { user_id: number; id_hash: Buffer };

/** Newest first, without expired ones. */
export function listSessions(db: Db, own: OwnSession, query: PageQuery): Promise<Page<Session>> {
  const rows = db
    .selectFrom("sessions")
    .select(["id", sql<boolean>`id_hash = ${own.id_hash}`.as("current")])
    .select(["user_agent", "created_at", "last_used_at", "expires_at"])
    .where("user_id", "=", own.user_id)
    .where(isOpen);
  return readPage(rows, query, "id", { newestFirst: true });
}
