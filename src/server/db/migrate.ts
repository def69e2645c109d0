import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectWithoutTimeouts } from "./connect-without-timeouts.ts";

const FOLDER = path.join(import.meta.dirname, "migrations");

/**
 * Held by whoever migrates, and shared by a backup, under which no table may change its shape. Any number will do as
 * long as nobody else on the server takes it for something else.
 */
export const MIGRATION_LOCK = 7_318_204;

/** The oldest PostgreSQL that has what the statements use, such as `on delete set null (column)`. */
export const OLDEST_POSTGRESQL = 15;

export type Migration = { version: number; name: string; sql: string };

/** How long a step waits for a table that somebody uses, how long it lets others pass then, and how often it tries. */
export type Patience = { lockMs: number; pauseMs: number; tries: number };

const PATIENCE: Patience = { lockMs: 2_000, pauseMs: 1_000, tries: 60 };

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (name) => ({
      version: Number(name.slice(0, 4)),
      name,
      sql: await readFile(path.join(folder, name), "utf8"),
    })),
  );
}

/**
 * Brings the database to this version of the program, forward only, each step in a transaction of its own.
 * Several processes may start at once: one migrates, the others wait. Throws StartError when the database does not
 * answer, when its PostgreSQL is older than 15, when a newer version of the program made it, and when a table stays in
 * use all the while. Returns the names of the steps taken.
 */
export async function migrate(url: string, migrations?: Migration[], patience = PATIENCE): Promise<string[]> {
  const steps = migrations ?? (await readMigrations());
  const client = await connectWithoutTimeouts(url, "signalbox migrate");
  try {
    await refuseOldServer(client);
    // Asked without the lock first: on nearly every start there is nothing to do.
    const before = await appliedVersions(client);
    refuseNewer(before, steps);
    if (steps.every((step) => before.has(step.version))) return [];
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const applied = await appliedVersions(client);
    refuseNewer(applied, steps);
    const missing = steps.filter((step) => !applied.has(step.version));
    for (const step of missing) await applyPatiently(client, step, patience);
    return missing.map((step) => step.name);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int as number");
  const major = Math.floor(rows[0].number / 10_000);
  if (major < OLDEST_POSTGRESQL)
    throw new StartError(
      `The database is PostgreSQL ${major}; Signalbox needs ${OLDEST_POSTGRESQL} or newer. Upgrade it, or set another DATABASE_URL.`,
    );
}

async function appliedVersions(client: pg.Client): Promise<Set<number>> {
  const exists = await client.query("select to_regclass('schema_migrations') is not null as yes");
  if (!exists.rows[0].yes) return new Set();
  const { rows } = await client.query("select version from schema_migrations");
  return new Set(rows.map((row: { version: number }) => row.version));
}

function refuseNewer(applied: Set<number>, steps: Migration[]) {
  const newest = Math.max(0, ...steps.map((step) => step.version));
  const unknown = [...applied].filter((version) => version > newest);
  if (unknown.length > 0)
    throw new StartError(
      `The database was made by a newer version of Signalbox (schema ${Math.max(...unknown)}, this version knows ${newest}). Install that version, or restore a backup.`,
    );
}

/**
 * A statement that waits for a table keeps everybody behind it from that table. So it waits for a moment only, lets them
 * pass, and the whole step begins anew.
 */
async function applyPatiently(client: pg.Client, step: Migration, { lockMs, pauseMs, tries }: Patience) {
  for (let left = tries; ; left--)
    try {
      return await apply(client, step, lockMs);
    } catch (error) {
      const { code, message } = error as pg.DatabaseError;
      if (!WAITED_IN_VAIN.has(code ?? ""))
        throw new Error(`Migration ${step.name} failed: ${message}`, { cause: error });
      if (left <= 1)
        throw new StartError(
          `Migration ${step.name} needs a table that something else keeps in use. Stop what uses the database, or start again later.`,
          error,
        );
      await pause(pauseMs);
    }
}

/** lock_not_available, deadlock_detected */
const WAITED_IN_VAIN = new Set(["55P03", "40P01"]);

async function apply(client: pg.Client, step: Migration, lockMs: number) {
  await client.query("begin");
  try {
    await client.query("select set_config('lock_timeout', $1, true)", [String(lockMs)]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default clock_timestamp())`);
    await client.query(step.sql);
    await client.query("insert into schema_migrations (version, name) values ($1, $2)", [
      step.version,
      step.name,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
