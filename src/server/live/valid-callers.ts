import { sql } from "kysely";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";

/** The keys of the callers whose session or token is still valid. At most two queries for any number of callers. */
export async function validCallers(db: Db, callers: Caller[]): Promise<Set<string>> {
  const sessions = callers.flatMap((caller) => (caller.kind === "session" ? [caller] : []));
  const tokens = callers.flatMap((caller) => (caller.kind === "personal" ? [caller] : []));
  const valid = new Set<string>();
  if (sessions.length > 0) {
    const { rows } = await sql<{ id_hash: Buffer }>`
      select id_hash from sessions
      where id_hash = any(${sessions.map((caller) => caller.id_hash)}::bytea[]) and expires_at > now()`.execute(
      db,
    );
    const hashes = new Set(rows.map((row) => row.id_hash.toString("base64")));
    for (const { key, id_hash } of sessions) if (hashes.has(id_hash.toString("base64"))) valid.add(key);
  }
  if (tokens.length > 0) {
    const { rows } = await sql<{ id: number }>`
      select id from personal_tokens
      where id = any(${tokens.map((caller) => caller.token_id)}::bigint[])
        and (expires_at is null or expires_at > now())`.execute(db);
    const ids = new Set(rows.map((row) => row.id));
    for (const { key, token_id } of tokens) if (ids.has(token_id)) valid.add(key);
  }
  return valid;
}
