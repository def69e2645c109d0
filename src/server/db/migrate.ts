import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { StartError } from "../start-error.ts";
import { connectionOptions } from "./connect.ts";

const FOLDER = path.join(import.meta.dirname, "migrations");

/**
 * Held by whoever migrates, and shared by a backup, under which no table may change its shape. Any number will do as
 * long as nobody else on the server takes it for something else.
 */
export const MIGRATION_LOCK = 7_318_204;

/** The oldest PostgreSQL that has what the statements use, such as `on delete set null (column)`. */
export const OLDEST_POSTGRESQL = 15;

export type Migration = { version: number; name: string; sql: string };

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
 * answer, when its PostgreSQL is older than 15, and when a newer version of the program made it. Returns the names of the steps taken.
 */
export async function migrate(url: string, migrations?: Migration[]): Promise<string[]> {
  const steps = migrations ?? (await readMigrations());
  const client = new pg.Client({ ...connectionOptions(url), application_name: "signalbox migrate" });
  client.on("error", () => {});
  await client.connect().catch((error: unknown) => {
    throw new StartError(`The database cannot be used: ${reason(error)}`, error);
  });
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
    for (const step of missing) await apply(client, step);
    return missing.map((step) => step.name);
  } finally {
    await client.end();
  }
}

/** Of several addresses that were tried in vain, the first one's. The text names no password. */
function reason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
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

async function apply(client: pg.Client, step: Migration) {
  await client.query("begin");
  try {
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
    throw new Error(`Migration ${step.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
