import { sql } from "kysely";
import { readSentryDsn, type SentryDsn } from "../../shared/sentry-dsn.ts";
import type { Db } from "../db/connect.ts";

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
  /** Another server that gets what is accepted with the key, too. */
  forwardTo: (SentryDsn & { dsn: string }) | null;
};

const SHAPE = /^[0-9a-f]{32}$/;

export const looksLikeIngestKey = (text: string): boolean => SHAPE.test(text);

/** The ingest keys with these texts, in the same order. */
export async function readIngestKeys(db: Db, keys: string[]): Promise<(IngestKey | undefined)[]> {
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
      "p.forward_dsn",
    ])
    .where("k.key", "=", sql<string>`any(${keys}::text[])`)
    .where("p.deleted_at", "is", null)
    .execute();
  const keyByText = new Map(
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
        forwardTo: row.forward_dsn === null ? null : readDestination(row.forward_dsn),
      },
    ]),
  );
  return keys.map((key) => keyByText.get(key));
}

function readDestination(text: string): IngestKey["forwardTo"] {
  const dsn = readSentryDsn(text);
  return dsn ? { ...dsn, dsn: text } : null;
}
