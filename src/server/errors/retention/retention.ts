import type pg from "pg";
import { deleteExpired, type Expired } from "./delete-expired.ts";
import { findRetentionRisk } from "./safety-check.ts";

export type RetentionResult = Expired & { outcome: "done" | "refused"; message: string };

const NOTHING: Expired = { groups: 0, users: 0, hosts: 0 };

/**
 * The daily retention run: deletes everything that was not seen within the retention window and records the run. Unless
 * `anyway` is set, refuses to run if the clock or the number of expired groups is suspicious. Throws between batches if the
 * signal is aborted.
 */
export async function runRetention(
  pool: pg.Pool,
  retentionDays: number,
  { anyway = false, signal }: { anyway?: boolean; signal?: AbortSignal } = {},
): Promise<RetentionResult> {
  const risk = await findRetentionRisk(pool, retentionDays);
  const outcome = risk === undefined || anyway ? "done" : "refused";
  const { rows } = await pool.query<{ id: number }>(
    "insert into retention_runs (started_at, outcome) values (clock_timestamp(), $1) returning id",
    [outcome === "done" ? "running" : "refused"],
  );
  if (outcome === "refused") return { outcome, message: `Retention refused: ${risk}`, ...NOTHING };
  const expired = await deleteExpired(pool, retentionDays, signal);
  const { groups, users, hosts } = expired;
  await pool.query(
    "update retention_runs set outcome = 'done', groups_deleted = $2, users_deleted = $3, hosts_deleted = $4 where id = $1",
    [rows[0]?.id, groups, users, hosts],
  );
  const message = `Retention deleted ${groups} error groups, ${users} user hashes and ${hosts} hosts.`;
  return { outcome, message, ...expired };
}
