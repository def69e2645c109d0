import type pg from "pg";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import type { BackupResult } from "./backup.ts";

/** The installation's last complete backup. */
export type LastBackup = {
  /** null: standard output. */
  destination: string | null;
  /** By the database's clock. */
  age_seconds: number;
  missing_files: number;
};

/**
 * Remembers a complete backup, for the doctor and the metrics. Does nothing if the schema is older than this table, or if
 * the database is a standby.
 */
export async function rememberBackup(
  url: string,
  destination: string | undefined,
  { rows, files, missing, bytes, madeAt }: BackupResult,
): Promise<void> {
  const client = await connectWithoutTimeouts(url, "signalbox backup");
  try {
    if (!(await hasTable(client))) return;
    await client.query(
      `insert into backups (destination, rows, files, missing_files, bytes, made_at) values ($1, $2, $3, $4, $5, $6)`,
      [destination ?? null, rows, files, missing.length, bytes, madeAt],
    );
    await client.query("delete from backups where made_at < now() - interval '400 days'");
  } finally {
    await client.end();
  }
}

export async function readLastBackup(database: pg.Pool | pg.ClientBase): Promise<LastBackup | undefined> {
  if (!(await hasTable(database))) return undefined;
  const { rows } = await database.query<LastBackup>(
    `select destination, missing_files, extract(epoch from clock_timestamp() - made_at)::float8 as age_seconds
    from backups order by made_at desc limit 1`,
  );
  return rows[0];
}

async function hasTable(database: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await database.query("select where to_regclass('backups') is not null");
  return rows.length > 0;
}
