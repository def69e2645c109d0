import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Scope } from "../../shared/token-scopes.ts";
import { makeTokenScope, type TokenScope } from "./token-scope.ts";
import { sha256, tokenKind, type TokenKind } from "./tokens.ts";

/**
 * Who a request comes from. Every kind acts as a user: a project token as its creator, within its one project.
 * `key` names the credential in limits and logs.
 */
export type Caller =
  | { kind: "session"; key: string; user_id: number; id_hash: Buffer }
  | {
      kind: "personal";
      key: string;
      user_id: number;
      token_id: number;
      write: boolean;
      /** null if the token may do everything that its user may. */
      scope: TokenScope | null;
      /** Only of connected apps: the access token, which expires before the grant that `token_id` is. */
      access_token_hash?: Buffer;
    }
  | {
      kind: "project";
      key: string;
      user_id: number;
      token_id: number;
      write: boolean;
      project_id: number;
      active: boolean;
    };

/** The callers behind bearer tokens, in order; undefined for a token that is malformed, unknown, revoked or expired. */
export async function callersByTokens(db: Db, tokens: string[]): Promise<(Caller | undefined)[]> {
  const hashedTokens = tokens.map((token) => ({ kind: tokenKind(token), hash: sha256(token) }));
  const hashesOf = (kind: TokenKind) =>
    hashedTokens.filter((one) => one.kind === kind).map(({ hash }) => hash);
  const callers = new Map([
    ...(await personalTokens(db, hashesOf("pat"))),
    ...(await projectTokens(db, hashesOf("prj"))),
    ...(await appTokens(db, hashesOf("oat"))),
  ]);
  return hashedTokens.map(({ hash }) => callers.get(hash.toString("hex")));
}

/** Callers by their token's hash in hexadecimal. */
type Found = [hash: string, caller: Caller][];

async function personalTokens(db: Db, hashes: Buffer[]): Promise<Found> {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectFrom("personal_tokens")
    .select(["id", "token_hash", "user_id", "write", "scopes", "project_ids", isStale.as("stale")])
    .where("token_hash", "=", anyOf(hashes))
    .where(unexpired)
    .execute();
  await touch(db, "personal_tokens", rows);
  return rows.flatMap(({ id, token_hash, user_id, write, scopes, project_ids }): Found => {
    if (token_hash === null) return [];
    const scope = scopes && makeTokenScope(scopes as Scope[], project_ids ?? []);
    return [
      [
        token_hash.toString("hex"),
        { kind: "personal", key: `pat:${id}`, user_id, token_id: id, write, scope },
      ],
    ];
  });
}

/** Access tokens of connected apps. Those of one grant share its limits. */
async function appTokens(db: Db, hashes: Buffer[]): Promise<Found> {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectFrom("oauth_access_tokens as a")
    .innerJoin("personal_tokens as g", "g.id", "a.token_id")
    .select(["a.token_hash", "a.scopes", "g.id", "g.user_id", "g.project_ids", isStale.as("stale")])
    .where("a.token_hash", "=", anyOf(hashes))
    .where("a.expires_at", ">", sql<string>`now()`)
    .where("g.expires_at", ">", sql<string>`now()`)
    .execute();
  await touch(db, "personal_tokens", rows);
  return rows.map(({ id, token_hash, user_id, scopes, project_ids }) => [
    token_hash.toString("hex"),
    {
      kind: "personal",
      key: `pat:${id}`,
      user_id,
      token_id: id,
      write: scopes.some((scope) => scope.endsWith(":write")),
      scope: makeTokenScope(scopes as Scope[], project_ids ?? []),
      access_token_hash: token_hash,
    },
  ]);
}

async function projectTokens(db: Db, hashes: Buffer[]): Promise<Found> {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectFrom("project_tokens")
    .select(["id", "token_hash", "created_by", "project_id", "access", "active", isStale.as("stale")])
    .where("token_hash", "=", anyOf(hashes))
    .where(unexpired)
    .execute();
  await touch(db, "project_tokens", rows);
  return rows.map(({ id, token_hash, created_by, project_id, access, active }) => [
    token_hash.toString("hex"),
    {
      kind: "project",
      key: `prj:${id}`,
      user_id: created_by,
      token_id: id,
      write: access === "read_write",
      project_id,
      active,
    },
  ]);
}

const anyOf = (hashes: Buffer[]) => sql<Buffer>`any(${hashes}::bytea[])`;

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
 * Whether to update `last_used_at`. It is only displayed, so updating it at most once a minute is enough and keeps requests
 * cheap. A value ahead of the clock, which was then set back, counts as stale.
 */
export const isStale = sql<boolean>`(last_used_at between now() - interval '1 minute' and now() + interval '1 minute')
  is not true`;

const isIdle = sql<boolean>`last_used_at not between now() - interval '1 hour' and now() + interval '1 hour'`;

/** Skips locked rows: the transaction that holds the lock writes the same time. */
async function touch(
  db: Db,
  table: "personal_tokens" | "project_tokens",
  rows: { id: number; stale: boolean }[],
): Promise<void> {
  const ids = rows.filter(({ stale }) => stale).map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`
    update ${sql.table(table)} set last_used_at = now() where id = any(array(
      select id from ${sql.table(table)} where id = any(${ids}::bigint[]) and ${isStale}
      order by id for no key update skip locked))`.execute(db);
}
