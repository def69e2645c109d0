import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { CachedLookup } from "./cached-lookup.ts";

/** A credential that may only send errors and feedback to one project. */
export type IngestKey = {
  id: number;
  projectId: number;
  project: { id: number; workspace_id: number; key: string };
  isActive: boolean;
  /** Empty if pages of every origin may use the key. */
  allowedOrigins: string[];
  /** Whether the workspace has these features on. */
  errorTracking: boolean;
  reports: boolean;
  /** The HMAC key for hashing the users that Sentry SDKs send. */
  userHashSecret: Buffer;
  keepDebugEvents: boolean;
};

/** Unknown keys are cached, too: a web page may keep sending with a deleted key for months. */
type Entry = { found: IngestKey | undefined };

const lookup = new CachedLookup<string, Entry>(readKeys);

const SHAPE = /^[0-9a-f]{32}$/;

export const looksLikeIngestKey = (text: string): boolean => SHAPE.test(text);

/**
 * The ingest key with this text, active or not; undefined if there is none or its project is deleted. Up to a second old;
 * changes made through this process take effect immediately.
 */
export async function findIngestKey(db: Db, key: string): Promise<IngestKey | undefined> {
  if (!looksLikeIngestKey(key)) return undefined;
  return (await lookup.get(db, key))?.found;
}

/** Returns the result of `findIngestKey` if it is cached. */
export const knownIngestKey = (db: Db, key: string): IngestKey | undefined => lookup.known(db, key)?.found;

/** Makes changes of keys and features take effect immediately in this process. */
export function forgetIngestKeys(db: Db): void {
  lookup.forget(db);
}

async function readKeys(db: Db, keys: string[]): Promise<Entry[]> {
  const rows = await db
    .selectFrom("ingest_keys as k")
    .innerJoin("projects as p", "p.id", "k.project_id")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .select([
      "k.key",
      "k.id",
      "k.project_id",
      "k.active",
      "k.allowed_origins",
      "p.workspace_id",
      "p.key as project_key",
      "w.error_tracking_enabled",
      "w.reports_enabled",
      "p.user_hash_secret",
      "p.keep_vars",
      "p.keep_debug_events",
    ])
    .where("k.key", "=", sql<string>`any(${keys}::text[])`)
    .where("p.deleted_at", "is", null)
    .execute();
  const found = new Map(
    rows.map((row) => [
      row.key,
      {
        id: row.id,
        projectId: row.project_id,
        project: { id: row.project_id, workspace_id: row.workspace_id, key: row.project_key },
        isActive: row.active,
        allowedOrigins: row.allowed_origins,
        errorTracking: row.error_tracking_enabled,
        reports: row.reports_enabled,
        userHashSecret: row.user_hash_secret,
        keepDebugEvents: row.keep_debug_events,
      },
    ]),
  );
  return keys.map((key) => ({ found: found.get(key) }));
}
