import type pg from "pg";
import { readAppliedMigrations } from "../backup/catalog.ts";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import { MIN_POSTGRESQL, readMigrations } from "../../db/migrate.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Seconds by which the clocks of database and server may differ. Sessions and rate limits use both. */
const CLOCK_WARN = 5;
const CLOCK_FAIL = 300;

/** Checks the server and the schema. `usable`: the tables can be read. */
export async function checkDatabase(url: string): Promise<{ findings: Finding[]; usable: boolean }> {
  let client: pg.Client;
  try {
    client = await connectWithoutTimeouts(url, "signalbox doctor");
  } catch (error) {
    const fix = "Start the database, and check DATABASE_URL (host, port, name, password) and pg_hba.conf.";
    const reason = (error as Error).message.replace(/^The database /, "");
    return { findings: [fail("database", reason, fix)], usable: false };
  }
  try {
    const server = await readServer(client);
    const migrations = await checkMigrations(client);
    return {
      findings: [checkVersion(server), migrations, checkDurability(server), checkClock(server)],
      usable: migrations.level === "ok" && server.major >= MIN_POSTGRESQL,
    };
  } finally {
    await client.end();
  }
}

type Server = {
  major: number;
  version: string;
  is_read_only: boolean;
  off: string[];
  /** Seconds by which its clock is ahead of ours, give or take half a round trip. */
  ahead: number;
};

async function readServer(client: pg.Client): Promise<Server> {
  const before = Date.now();
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version,
      current_setting('transaction_read_only')::bool as is_read_only,
      extract(epoch from clock_timestamp())::float8 * 1000 as time,
      array(select name::text from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by 1) as off`,
  );
  const { time, ...server } = rows[0];
  return { ...server, ahead: (time - (before + Date.now()) / 2) / 1000 };
}

function checkVersion({ major, version, is_read_only }: Server): Finding {
  if (is_read_only)
    return fail(
      "database",
      "it is read-only, such as a standby",
      "Set DATABASE_URL to one that can be written.",
    );
  if (major >= MIN_POSTGRESQL) return ok("database", `PostgreSQL ${version}`);
  return fail(
    "database",
    `PostgreSQL ${version} is older than ${MIN_POSTGRESQL}`,
    "Upgrade it, or set DATABASE_URL to a newer one.",
  );
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const steps = await readMigrations();
  const applied = new Set((await readAppliedMigrations(client)).map((step) => step.version));
  const newest = Math.max(0, ...applied);
  const newestVersion = Math.max(...steps.map((step) => step.version));
  if (newest > newestVersion)
    return fail(
      "schema",
      `version ${newest} of a newer Signalbox; this one supports ${newestVersion}`,
      "Install the newer version again, or restore a backup.",
    );
  const missing = steps.filter((step) => !applied.has(step.version));
  if (missing.length === 0) return ok("schema", `version ${newestVersion}, up to date`);
  return warn(
    "schema",
    `${missing.length} ${missing.length === 1 ? "migration is" : "migrations are"} missing`,
    "Start the server, or run: npm run signalbox -- migrate",
  );
}

function checkDurability({ off }: Server): Finding {
  if (off.length === 0) return ok("durability", "committed data survives a power failure");
  return fail(
    "durability",
    `${off.join(", ")} off: a power failure loses committed data`,
    `Set ${off.join(", ")} to on in postgresql.conf.`,
  );
}

function checkClock({ ahead }: Server): Finding {
  const seconds = Math.abs(ahead);
  const text = `the database's clock is ${seconds.toFixed(1)} s ${ahead < 0 ? "behind" : "ahead"}`;
  const fix = "Synchronize the clocks of both machines with NTP.";
  if (seconds >= CLOCK_FAIL) return fail("clock", text, fix);
  return seconds >= CLOCK_WARN ? warn("clock", text, fix) : ok("clock", "the database's clock agrees");
}
