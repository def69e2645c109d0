import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectWithoutTimeouts } from "./connect-without-timeouts.ts";
import { lockForMigration } from "./migration-lock.ts";

const FOLDER = path.join(import.meta.dirname, "migrations");

/** Earlier versions lack features that the statements use, such as `on delete set null (column)`. */
export const MIN_POSTGRESQL = 15;

export type Migration = { version: number; name: string; sql: string };

/** How long a step waits for a lock on a table, the pause before the next attempt, and the number of attempts. */
export type LockRetries = { lockMs: number; pauseMs: number; tries: number };

type Options = {
  lockRetries?: LockRetries;
  /** Called before each step unless the database is new, because a step can take minutes in a large database. */
  onStep?: (name: string, number: number, count: number) => void;
};

/**
 * A step gives up before PostgreSQL looks for a deadlock, one second after a request began to wait. Otherwise the request would fail if
 * each of them waits for a table of the other.
 */
const LOCK_RETRIES: LockRetries = { lockMs: 500, pauseMs: 1_000, tries: 60 };

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  return Promise.all(
    (await listMigrations(folder)).map(async (step) => ({
      ...step,
      sql: await readFile(path.join(folder, step.name), "utf8"),
    })),
  );
}

/** The migrations without their statements, in order. */
export async function listMigrations(folder = FOLDER): Promise<Omit<Migration, "sql">[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return files.map((name) => ({ version: Number(name.slice(0, 4)), name }));
}

/**
 * The first line of a migration that creates indexes of large tables `concurrently`, so that their rows can be written meanwhile.
 * PostgreSQL allows that only outside of a transaction, so the statements must be repeatable.
 */
export const WITHOUT_TRANSACTION = "-- Without a transaction. Repeatable.\n";

/**
 * Applies the missing migrations, each in a transaction of its own, and returns their names. If several processes start
 * at the same time, one migrates and the others wait. Throws StartError if the database cannot be reached or written, is older
 * than PostgreSQL 15, was migrated by a newer version of the program, or if a table is in use during all attempts.
 */
export async function migrate(
  url: string,
  migrations?: Migration[],
  { lockRetries = LOCK_RETRIES, onStep = () => {} }: Options = {},
): Promise<string[]> {
  const steps = migrations ?? (await readMigrations());
  const client = await connectWithoutTimeouts(url, "signalbox migrate");
  try {
    await refuseOldServer(client);
    await refuseReadOnly(client);
    // Check without the lock first, because at most starts there is nothing to do.
    const before = await appliedVersions(client);
    refuseNewer(before, steps);
    if (steps.every((step) => before.has(step.version))) return [];
    await lockForMigration(client);
    const applied = await appliedVersions(client);
    refuseNewer(applied, steps);
    const missing = steps.filter((step) => !applied.has(step.version));
    for (const [index, step] of missing.entries()) {
      if (applied.size > 0) onStep(step.name, index + 1, missing.length);
      await applyWithRetries(client, step, lockRetries);
    }
    return missing.map((step) => step.name);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int as number");
  const major = Math.floor(rows[0].number / 10_000);
  if (major < MIN_POSTGRESQL)
    throw new StartError(
      `The database is PostgreSQL ${major}; Signalbox needs ${MIN_POSTGRESQL} or newer. Upgrade it, or set another DATABASE_URL.`,
    );
}

async function refuseReadOnly(client: pg.Client) {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on")
    throw new StartError(
      "The database is read-only, such as a standby. Set DATABASE_URL to one that can be written.",
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
 * While a statement waits for a lock on a table, all later statements on that table wait behind it. So it waits only briefly;
 * then the step is rolled back and retried after a pause that lets the other statements proceed.
 */
async function applyWithRetries(client: pg.Client, step: Migration, { lockMs, pauseMs, tries }: LockRetries) {
  for (let left = tries; ; left--)
    try {
      return await apply(client, step, lockMs);
    } catch (error) {
      const { code, message } = error as pg.DatabaseError;
      if (RIGHTS_ERRORS.has(code ?? ""))
        throw new StartError(`${couldNot(step)}: ${message}. ${NEEDS_RIGHTS}`, error);
      if (isNoBug(code)) throw new StartError(`${couldNot(step)}: ${message}`, error);
      if (!LOCK_ERRORS.has(code ?? ""))
        throw new Error(`Migration ${step.name} failed: ${message}`, { cause: error });
      if (left <= 1)
        throw new StartError(
          `Migration ${step.name} needs a table that another program keeps locked. Stop the programs that use the database, or try again later.`,
          error,
        );
      await pause(pauseMs);
    }
}

/** lock_not_available, deadlock_detected */
const LOCK_ERRORS = new Set(["55P03", "40P01"]);

const couldNot = ({ name }: Migration) => `Migration ${name} could not be applied`;

/** insufficient_privilege; invalid_schema_name: the role may not even use the schema */
const RIGHTS_ERRORS = new Set(["42501", "3F000"]);

const NEEDS_RIGHTS = "The role of DATABASE_URL must own the database or be allowed to create objects in it.";

/**
 * Errors that are not bugs of the step: lost connection, no space or memory, server being stopped, unusable files, or a missing
 * extension.
 */
const isNoBug = (code = "ECONNRESET"): boolean => /^(53|57|58|0A|E)/.test(code);

async function apply(client: pg.Client, step: Migration, lockMs: number) {
  if (step.sql.startsWith(WITHOUT_TRANSACTION)) return applyWithoutTransaction(client, step);
  await client.query("begin");
  try {
    await client.query("select set_config('lock_timeout', $1, true)", [String(lockMs)]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default clock_timestamp())`);
    await client.query(step.sql);
    await record(client, step);
    await client.query("commit");
  } catch (error) {
    // Without a connection there is nothing left to roll back.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** No other statement waits behind those that are allowed here, so they may wait for as long as a transaction takes. */
async function applyWithoutTransaction(client: pg.Client, step: Migration) {
  for (const statement of step.sql.split(/;\n/)) await client.query(statement);
  await record(client, step);
}

const record = (client: pg.Client, { version, name }: Migration) =>
  client.query("insert into schema_migrations (version, name) values ($1, $2)", [version, name]);
