import { sql } from "kysely";
import { batchedLookup } from "../../db/batched-lookup.ts";
import type { Db } from "../../db/connect.ts";
import { readServerSecret } from "../../reports/status/server-secret.ts";
import { CHECK_IN_GATHER_MS } from "./record-check-ins.ts";
import { isTokenOf, openPingTokens, type PingedMonitor } from "./ping-token.ts";

/** The monitor of a ping URL. */
export type FoundMonitor = { id: number; project_id: number; is_feature_on: boolean };

/** Finds monitors by the tokens of their ping URLs. Undefined if a token is not valid (anymore). */
export const openMonitorLookup = (db: Db): ((token: string) => Promise<FoundMonitor | undefined>) =>
  batchedLookup((tokens) => findByTokens(db, tokens), CHECK_IN_GATHER_MS);

async function findByTokens(db: Db, tokens: string[]): Promise<(FoundMonitor | undefined)[]> {
  const secret = await readServerSecret(db);
  const opened = openPingTokens(secret, tokens);
  const { rows } = await sql<FoundMonitor & PingedMonitor>`
    select m.id, m.project_id, m.created_at, m.ping_generation, w.error_tracking_enabled as is_feature_on
    from monitors m
    join projects p on p.id = m.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.deleted_at is null
    where m.id = any(${opened.map((each) => each?.id ?? null)}::bigint[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return opened.map((each) => {
    const monitor = each && byId.get(each.id);
    return monitor && isTokenOf(each, monitor) ? monitor : undefined;
  });
}
