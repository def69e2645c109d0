import pg from "pg";
import { readApplied } from "../backup/catalog.ts";
import { connectionOptions } from "../../db/connect.ts";
import { OLDEST_POSTGRESQL, readMigrations } from "../../db/migrate.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Seconds the clocks of database and server may differ: sessions and limits are judged by both. */
const CLOCK_WARN = 5;
const CLOCK_FAIL = 300;

/** Looks at the server and the schema; `usable` when what is in it can be asked for. */
export async function checkDatabase(url: string): Promise<{ findings: Finding[]; usable: boolean }> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    const [first] = error instanceof AggregateError ? error.errors : [error];
    const mend = "Start it, and check DATABASE_URL: host, port, name, password, and pg_hba.conf there.";
    return {
      findings: [fail("database", `cannot be used: ${(first as Error).message}`, mend)],
      usable: false,
    };
  }
  try {
    const server = await readServer(client);
    const migrations = await checkMigrations(client);
    return {
      findings: [checkVersion(server), migrations, checkDurability(server), checkClock(server)],
      usable: migrations.level === "ok" && server.major >= OLDEST_POSTGRESQL,
    };
  } finally {
    await client.end();
  }
}

type Server = {
  major: number;
  version: string;
  off: string[];
  /** Seconds its clock is ahead of ours, as well as that can be told. */
  ahead: number;
};

async function readServer(client: pg.Client): Promise<Server> {
  const before = Date.now();
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version,
      extract(epoch from clock_timestamp())::float8 * 1000 as time,
      array(select name::text from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by 1) as off`,
  );
  const { time, ...server } = rows[0];
  return { ...server, ahead: (time - (before + Date.now()) / 2) / 1000 };
}

function checkVersion({ major, version }: Server): Finding {
  if (major >= OLDEST_POSTGRESQL) return ok("database", `PostgreSQL ${version}`);
  return fail(
    "database",
    `PostgreSQL ${version} is older than ${OLDEST_POSTGRESQL}`,
    "Upgrade it, or set DATABASE_URL to another.",
  );
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const steps = await readMigrations();
  const applied = new Set((await readApplied(client)).map((step) => step.version));
  const newest = Math.max(0, ...applied);
  const known = Math.max(...steps.map((step) => step.version));
  if (newest > known)
    return fail(
      "schema",
      `${newest}, of a newer version; this one knows ${known}`,
      "Install the newer version again, or restore a backup.",
    );
  const missing = steps.filter((step) => !applied.has(step.version));
  if (missing.length === 0) return ok("schema", `${known}, that of this version`);
  return warn(
    "schema",
    `${missing.length} steps are not applied yet`,
    "Start the server, or run npm run signalbox -- migrate.",
  );
}

function checkDurability({ off }: Server): Finding {
  if (off.length === 0) return ok("durability", "what was acknowledged survives a power cut");
  return fail(
    "durability",
    `${off.join(", ")} off: a power cut loses what was acknowledged`,
    `Set ${off.join(", ")} to on in the database's configuration.`,
  );
}

function checkClock({ ahead }: Server): Finding {
  const seconds = Math.abs(ahead);
  const text = `the database's is ${seconds.toFixed(1)} s ${ahead < 0 ? "behind" : "ahead"}`;
  const mend = "Keep both machines' clocks by NTP.";
  if (seconds >= CLOCK_FAIL) return fail("clock", text, mend);
  return seconds >= CLOCK_WARN ? warn("clock", text, mend) : ok("clock", "the database's is the same");
}
