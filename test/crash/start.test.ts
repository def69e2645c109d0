import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { readMigrations } from "../../src/server/db/migrate.ts";
import { cloneDatabase, emptyDatabase } from "../support/postgres.ts";
import { anEvent } from "../support/error-events.ts";
import { install, SETUP_TOKEN } from "../support/over-http.ts";
import { makeHome, run, start, startServer, type Home } from "../support/program.ts";
import { waitUntil } from "../support/eventually.ts";

let home: Home;
let database: { url: string; drop(): Promise<void> };
before(async () => {
  home = await makeHome();
  database = await emptyDatabase();
});
after(async () => {
  await home.remove();
  await database.drop();
});

const tablesOf = (url: string) =>
  rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace",
    url,
  );

async function rows<Row extends pg.QueryResultRow>(sql: string, url = database.url): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

for (const [name, settings, line] of [
  ["a PORT that is no number", { PORT: "abc" }, /^PORT must be a whole number from 0 to 65535$/],
  [
    "a setting that is none",
    { RETENTION_DAY: "7" },
    /^RETENTION_DAY is not a setting\. Settings are: HOST, /,
  ],
  ["a HOST that is no address of the machine", { HOST: "192.0.2.1" }, /^HOST 192\.0\.2\.1 is not an address/],
  ["a DATA_DIR that is a file", { DATA_DIR: import.meta.filename }, /^The database in .* cannot be used: /],
  [
    "a DATABASE_URL where nobody listens",
    { DATABASE_URL: "postgres://a:s3cret@127.0.0.1:1/x" },
    /^The database cannot be used: .*ECONNREFUSED/,
  ],
] as [string, Record<string, string>, RegExp][])
  test(`${name} stops the start with exactly one line and code 1`, async () => {
    const needsDatabase = settings["HOST"] !== undefined ? { DATABASE_URL: database.url } : {};
    const { code, stderr } = await run(home, ["serve"], { ...needsDatabase, ...settings });
    assert.equal(code, 1);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.match(stderr.trimEnd(), line);
    assert.doesNotMatch(stderr, /s3cret/);
  });

test("a wrong password and an unknown database are reported in one line, without the password", async () => {
  for (const change of [(url: URL) => (url.password = "s3cret"), (url: URL) => (url.pathname = "/nosuch")]) {
    const url = new URL(database.url);
    change(url);
    const { code, stderr } = await run(home, ["migrate"], { DATABASE_URL: url.href });
    assert.equal(code, 1);
    assert.match(stderr, /^The database cannot be used: [^\n]+\n$/);
    assert.doesNotMatch(stderr, /s3cret/);
  }
});

test("addresses of different databases stop the start with one line, before either is migrated", async () => {
  const [pooled, direct] = [await emptyDatabase(), await emptyDatabase()];
  for (const command of ["serve", "migrate"]) {
    const settings = { DATABASE_URL: pooled.url, DATABASE_DIRECT_URL: direct.url };
    const { code, stderr } = await run(home, [command], settings);
    assert.deepEqual(
      [code, stderr],
      [1, "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.\n"],
    );
  }
  for (const { url, drop } of [pooled, direct]) {
    assert.deepEqual(await tablesOf(url), []);
    await drop();
  }
});

test("the setting whose database cannot be reached is named", async () => {
  const settings = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: "postgres://me@localhost:1/x" };
  const { code, stderr } = await run(home, ["migrate"], settings);
  assert.equal(code, 1);
  assert.match(stderr, /^The database of DATABASE_DIRECT_URL cannot be used: [^\n]*ECONNREFUSED[^\n]*\n$/);
});

test("a .env file provides missing settings, and an invalid value in it stops the start", async () => {
  const other = await makeHome();
  try {
    const file = path.join(other.folder, ".env");
    await writeFile(file, `DATABASE_URL=${database.url}\nRETENTION_DAYS=none\n`);
    const slip = await run(other, ["migrate"]);
    assert.deepEqual([slip.code, slip.stderr.split(" ", 1)[0]], [1, "RETENTION_DAYS"]);
    const outweighed = { RETENTION_DAYS: "7" };
    assert.equal((await run(other, ["migrate"], outweighed)).code, 0);
  } finally {
    await other.remove();
  }
});

test("a PORT that is in use stops the start with one line, before the database is migrated", async () => {
  const empty = await emptyDatabase();
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.on("listening", resolve));
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await run(home, ["serve"], { DATABASE_URL: empty.url, PORT: String(port) });
  other.close();
  assert.deepEqual([code, stderr], [1, `PORT ${port} on 127.0.0.1 is in use by another program\n`]);
  assert.deepEqual(await tablesOf(empty.url), []);
  await empty.drop();
});

for (const [args, line] of [
  [["nonsense"], /^There is no command nonsense\.\n\nUsage: /],
  [["constructor"], /^There is no command constructor\.\n\nUsage: /],
  [["serve", "--nonsense"], /--nonsense/],
  [["serve", "nonsense"], /nonsense/],
] as [string[], RegExp][])
  test(`the command line "${args.join(" ")}" is refused with code 2`, async () => {
    const { code, stderr } = await run(home, args);
    assert.equal(code, 2);
    assert.match(stderr, line);
    assert.doesNotMatch(stderr, /\n {4}at /);
    assert.equal(existsSync(home.dataDir), false);
  });

test("--help prints the usage and exits with code 0", async () => {
  const { code, stdout, stderr } = await run(home, ["--help"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^Usage: [^]*serve[^]*migrate[^]*retention/);
});

test("two processes that start at once on an empty database both become ready and stay ready", async () => {
  await rows("drop schema public cascade");
  await rows("create schema public");
  const settings = { DATABASE_URL: database.url, SETUP_TOKEN };
  const servers = await Promise.all([startServer(home, settings), startServer(home, settings)]);
  const steps = (await readMigrations()).length;
  assert.deepEqual(await rows("select count(*)::int as steps from schema_migrations"), [{ steps }]);
  // Both run their jobs, and an event sent to one appears in the other.
  const runs = () => rows("select from retention_runs where outcome = 'done'").catch(() => []);
  await waitUntil(async () => (await runs()).length > 0, "no process ran its jobs");
  const [first, second] = servers;
  const installed = await install(first.url);
  assert.equal((await installed.send(second.url, anEvent())).status, 202);
  assert.equal((await installed.readGroups(first.url))[0]?.occurrence_count, 1);
  for (const server of servers) {
    server.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.equal(server.stderr(), "");
  }
  assert.equal(existsSync(path.join(home.dataDir, "postgres")), false, "the embedded database is not made");
});

test("migrate applies missing migrations, and then reports that none are missing", async () => {
  await rows("drop schema public cascade");
  await rows("create schema public");
  const steps = (await readMigrations()).map((step) => step.name);
  const settings = { DATABASE_URL: database.url };
  const first = await run(home, ["migrate"], settings);
  assert.deepEqual([first.code, first.stdout, first.stderr], [0, `Applied ${steps.join(", ")}.\n`, ""]);
  const second = await run(home, ["migrate"], settings);
  assert.deepEqual([second.code, second.stdout], [0, "The database is up to date.\n"]);
});

test("a database of a newer version stops the start with one line", async () => {
  await rows("insert into schema_migrations (version, name) values (9999, '9999-later.sql')");
  const { code, stderr } = await run(home, ["serve"], { DATABASE_URL: database.url });
  assert.equal(code, 1);
  assert.match(stderr, /^The database was made by a newer version of Signalbox [^\n]+\n$/);
  await rows("delete from schema_migrations where version = 9999");
});

test("retention reports what it deleted with code 0, and a refusal with code 1 unless --anyway is given", async () => {
  const settings = { DATABASE_URL: database.url };
  const said = "Retention deleted 0 error groups, 0 user hashes and 0 hosts.\n";
  const done = await run(home, ["retention"], settings);
  assert.deepEqual([done.code, done.stdout, done.stderr], [0, said, ""]);
  await rows("update retention_runs set started_at = now() - interval '3 days'");
  const refused = await run(home, ["retention"], settings);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^Retention refused: the last run was 72 hours ago[^\n]+\n$/);
  const anyway = await run(home, ["retention", "--anyway"], settings);
  assert.deepEqual([anyway.code, anyway.stdout], [0, said]);
});

test("a backup whose connection is lost ends with one line and leaves no file", async () => {
  const own = await cloneDatabase();
  const holder = new pg.Client({ connectionString: own.url });
  await holder.connect();
  try {
    await holder.query("begin; lock table mails");
    const program = start(home, ["backup", path.join(home.folder, "lost.backup")], { DATABASE_URL: own.url });
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where pg_blocking_pids(pid) <> '{}' and datname = current_database()";
    await waitUntil(async () => (await rows(end, own.url)).length === 1);
    assert.deepEqual(await program.ended, { code: 1, signal: null });
    assert.match(program.stderr(), /^The database or the storage is unavailable: [^\n]+\n$/);
    assert.deepEqual(
      (await readdir(home.folder)).filter((name) => name.includes("lost.backup")),
      [],
    );
  } finally {
    await holder.end();
    await own.drop();
  }
});

test("without DATABASE_URL the commands work on the embedded database", async () => {
  const other = await makeHome();
  try {
    await mkdir(other.dataDir);
    const migrated = await run(other, ["migrate"], { LOG_LEVEL: "warn" });
    assert.deepEqual([migrated.code, migrated.stderr], [0, ""]);
    assert.match(migrated.stdout, /^Applied 0001-/);
    assert.equal(existsSync(path.join(other.dataDir, "postgres/data/postmaster.pid")), false);
    assert.equal((await run(other, ["retention"], { LOG_LEVEL: "warn" })).code, 0);
  } finally {
    await other.remove();
  }
});
