import { sql } from "kysely";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";

/** The callers whose session or token is still valid. At most three queries for any number of callers. */
export async function validCallers(db: Db, callers: Caller[]): Promise<Set<Caller>> {
  const sessions = callers.flatMap((caller) => (caller.kind === "session" ? [caller] : []));
  const personal = callers.flatMap((caller) => (caller.kind === "personal" ? [caller] : []));
  const tokens = personal.filter(({ access_token_hash }) => access_token_hash === undefined);
  const appTokens = personal.filter(({ access_token_hash }) => access_token_hash !== undefined);
  const valid = new Set<Caller>();
  if (sessions.length > 0) {
    const { rows } = await sql<{ id_hash: Buffer }>`
      select id_hash from sessions
      where id_hash = any(${sessions.map((caller) => caller.id_hash)}::bytea[]) and expires_at > now()`.execute(
      db,
    );
    const hashes = new Set(rows.map((row) => row.id_hash.toString("base64")));
    for (const caller of sessions) if (hashes.has(caller.id_hash.toString("base64"))) valid.add(caller);
  }
  if (tokens.length > 0) {
    const { rows } = await sql<{ id: number }>`
      select id from personal_tokens
      where id = any(${tokens.map((caller) => caller.token_id)}::bigint[])
        and (expires_at is null or expires_at > now())`.execute(db);
    const ids = new Set(rows.map((row) => row.id));
    for (const caller of tokens) if (ids.has(caller.token_id)) valid.add(caller);
  }
  if (appTokens.length > 0) {
    const { rows } = await sql<{ token_hash: Buffer }>`
      select token_hash from oauth_access_tokens
      where token_hash = any(${appTokens.map((caller) => caller.access_token_hash)}::bytea[]) and expires_at > now()`.execute(
      db,
    );
    const hashes = new Set(rows.map((row) => row.token_hash.toString("base64")));
    for (const caller of appTokens)
      if (hashes.has(caller.access_token_hash?.toString("base64") ?? "")) valid.add(caller);
  }
  return valid;
}
