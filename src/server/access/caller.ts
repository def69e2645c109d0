import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { sha256, tokenKind } from "./tokens.ts";

/**
 * Who a request comes from. Every kind acts as a user: a project token as its creator, within its one project.
 * `key` names the credential in limits and logs.
 */
export type Caller =
  | { kind: "session"; key: string; user_id: number; id_hash: Buffer }
  | { kind: "personal"; key: string; user_id: number; token_id: number; write: boolean }
  | {
      kind: "project";
      key: string;
      user_id: number;
      token_id: number;
      write: boolean;
      project_id: number;
      active: boolean;
    };

/** The caller behind a bearer token; undefined if the token is malformed, unknown, revoked or expired. */
export async function callerByToken(db: Db, token: string): Promise<Caller | undefined> {
  const kind = tokenKind(token);
  if (kind === undefined) return undefined;
  return kind === "pat" ? personalToken(db, sha256(token)) : projectToken(db, sha256(token));
}

async function personalToken(db: Db, hash: Buffer): Promise<Caller | undefined> {
  const row = await db
    .selectFrom("personal_tokens")
    .select(["id", "user_id", "write", isStale.as("stale")])
    .where("token_hash", "=", hash)
    .where(unexpired)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.stale) await touch(db, "personal_tokens", row.id);
  return { kind: "personal", key: `pat:${row.id}`, user_id: row.user_id, token_id: row.id, write: row.write };
}

async function projectToken(db: Db, hash: Buffer): Promise<Caller | undefined> {
  const row = await db
    .selectFrom("project_tokens")
    .select(["id", "created_by", "project_id", "access", "active", isStale.as("stale")])
    .where("token_hash", "=", hash)
    .where(unexpired)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.stale) await touch(db, "project_tokens", row.id);
  return {
    kind: "project",
    key: `prj:${row.id}`,
    user_id: row.created_by,
    token_id: row.id,
    write: row.access === "read_write",
    project_id: row.project_id,
    active: row.active,
  };
}

/** The caller behind a session cookie; undefined if there is no such session or it has expired. */
export async function callerBySession(db: Db, secret: string): Promise<Caller | undefined> {
  const id_hash = sha256(secret);
  const row = await db
    .selectFrom("sessions")
    .select(["user_id", isIdle.as("stale")])
    .where("id_hash", "=", id_hash)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.stale)
    await db
      .updateTable("sessions")
      .set({ last_used_at: sql`now()` })
      .where("id_hash", "=", id_hash)
      .where(isIdle)
      .execute();
  return {
    kind: "session",
    key: `ses:${id_hash.toString("base64url", 0, 12)}`,
    user_id: row.user_id,
    id_hash,
  };
}

const unexpired = sql<boolean>`(expires_at is null or expires_at > now())`;
/**
 * `last_used_at` is shown to people only. Writing it at most once a minute keeps requests cheap. It is ahead of the clock
 * after that was set back.
 */
export const isStale = sql<boolean>`(last_used_at between now() - interval '1 minute' and now() + interval '1 minute')
  is not true`;

const isIdle = sql<boolean>`last_used_at not between now() - interval '1 hour' and now() + interval '1 hour'`;

function touch(db: Db, table: "personal_tokens" | "project_tokens", id: number) {
  return (
    db
      .updateTable(table)
      .set({ last_used_at: sql`now()` })
      .where("id", "=", id)
      // If concurrent requests found it stale, only the first one writes.
      .where(isStale)
      .execute()
  );
}
