import { sql } from "kysely";
import { batchedLookup } from "../../db/batched-lookup.ts";
import type { Db } from "../../db/connect.ts";
import { readServerSecret } from "../../reports/status/server-secret.ts";
import { isTokenOf, monitorIdIn, type PingedMonitor } from "./ping-token.ts";

/** The monitor of a ping URL. */
export type FoundMonitor = { id: number; project_id: number; is_feature_on: boolean };

/** Finds monitors by the tokens of their ping URLs. Undefined if a token is not valid (anymore). */
export const openMonitorLookup = (db: Db): ((token: string) => Promise<FoundMonitor | undefined>) =>
  batchedLookup((tokens) => findByTokens(db, tokens));

async function findByTokens(db: Db, tokens: string[]): Promise<(FoundMonitor | undefined)[]> {
  const secret = await readServerSecret(db);
  const ids = tokens.map((token) => monitorIdIn(secret, token) ?? null);
  const { rows } = await sql<FoundMonitor & PingedMonitor>`
    select m.id, m.project_id, m.created_at, m.ping_generation, w.error_tracking_enabled as is_feature_on
    from monitors m
    join projects p on p.id = m.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.deleted_at is null
    where m.id = any(${ids}::bigint[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return tokens.map((token, n) => {
    const monitor = byId.get(ids[n] ?? 0);
    return monitor && isTokenOf(secret, token, monitor) ? monitor : undefined;
  });
}
