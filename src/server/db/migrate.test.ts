import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import pg from "pg";
import { emptyDatabase } from "../../../test/support/postgres.ts";
import { StartError } from "../config/start-error.ts";
import { migrate, readMigrations, WITHOUT_TRANSACTION, type Migration } from "./migrate.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

let database: { url: string; drop(): Promise<void> };
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.drop());

const step = (version: number, sql: string): Migration => ({ version, name: `000${version}-step.sql`, sql });
const FIRST = step(1, "create table one (id integer)");
const SECOND = step(2, "create table two (id integer); insert into two values (1)");

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const tables = async () =>
  (
    await query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
  ).map((table) => table.name);
const versions = async () =>
  (await query<{ version: number }>("select version from schema_migrations order by version")).map(
    (row) => row.version,
  );

test("steps are applied in order, once", async () => {
  assert.deepEqual(await migrate(database.url, [FIRST]), [FIRST.name]);
  assert.deepEqual(await migrate(database.url, [FIRST, SECOND]), [SECOND.name]);
  assert.deepEqual(await migrate(database.url, [FIRST, SECOND]), []);
  assert.deepEqual(await versions(), [1, 2]);
  assert.deepEqual(await tables(), ["one", "schema_migrations", "two"]);
});

test("each step is announced before it is applied, except in a new database", async () => {
  const announced: unknown[] = [];
  const options = { onStep: (...step: unknown[]) => announced.push(step) };
  await migrate(database.url, [FIRST], options);
  assert.deepEqual(announced, []);
  const broken = step(3, "select no_such_column");
  await assert.rejects(migrate(database.url, [FIRST, SECOND, broken], options));
  assert.deepEqual(announced, [
    [SECOND.name, 1, 2],
    [broken.name, 2, 2],
  ]);
});

test("the product's migrations are numbered without gaps or duplicates", async () => {
  const steps = await readMigrations();
  assert.deepEqual(
    steps.map((one) => one.version),
    steps.map((_, index) => index + 1),
  );
  assert.ok(steps.every((one) => /^\d{4}-[a-z0-9-]+\.sql$/.test(one.name)));
  assert.deepEqual(
    await migrate(database.url),
    steps.map((one) => one.name),
  );
  assert.deepEqual(await migrate(database.url), []);
});

test("a database of a newer version is rejected in one line and not changed", async () => {
  await migrate(database.url, [FIRST, SECOND]);
  await assert.rejects(migrate(database.url, [FIRST]), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /^The database was made by a newer version of Signalbox \(schema 2, this version knows 1\)\. [^\n]+$/,
    );
    return true;
  });
  assert.deepEqual(await versions(), [1, 2]);
});

test("a step that fails is rolled back and named, and the steps before it remain", async () => {
  const broken = step(
    2,
    "create table half (id integer); insert into half values (1); select no_such_column",
  );
  await assert.rejects(migrate(database.url, [FIRST, broken, step(3, "create table three ()")]), {
    message: /^Migration 0002-step\.sql failed: column "no_such_column" does not exist$/,
  });
  assert.deepEqual(await versions(), [1]);
  assert.deepEqual(await tables(), ["one", "schema_migrations"]);
  assert.deepEqual(await migrate(database.url, [FIRST, SECOND]), [SECOND.name]);
});

for (const [reason, sql] of [
  ["loses its connection", "select pg_terminate_backend(pg_backend_pid())"],
  ["finds no space", "do $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$"],
  ["needs an extension that is not installed", "create extension nope"],
] as const)
  test(`a step that ${reason} stops the start with one line that names it`, async () => {
    await assert.rejects(migrate(database.url, [FIRST, step(2, sql)]), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(
        error.message,
        /^Migration 0002-step\.sql could not be applied: (terminating|no space|extension "nope" is)[^\n]*$/,
      );
      return true;
    });
    assert.deepEqual(await migrate(database.url, [FIRST, SECOND]), [SECOND.name]);
  });

test("if the first step fails, the database stays empty", async () => {
  await assert.rejects(migrate(database.url, [step(1, "create table one (id integer); select 1 / 0")]));
  assert.deepEqual(await tables(), []);
});

test("if several processes start at the same time, one migrates and all of them find the database ready", async () => {
  const slow = step(1, "create table one (id integer); select pg_sleep(0.2)");
  const taken = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, [slow, SECOND])));
  assert.deepEqual(
    taken.filter((steps) => steps.length > 0),
    [[slow.name, SECOND.name]],
  );
  assert.deepEqual(await versions(), [1, 2]);
  assert.deepEqual(await query("select * from two"), [{ id: 1 }]);
});

test("if a step fails in one process, a process that waits for it tries as well", async () => {
  const slowly = step(1, "create table one (id integer); select pg_sleep(0.2), 1 / 0");
  const results = await Promise.allSettled([
    migrate(database.url, [slowly]),
    migrate(database.url, [slowly]),
  ]);
  assert.deepEqual(
    results.map((result) => result.status),
    ["rejected", "rejected"],
  );
  assert.deepEqual(await migrate(database.url, [FIRST]), [FIRST.name]);
});

/** Holds a lock on the first step's table until it is called again, as a long report would. */
async function lockTable(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin; select from one");
  return async () => {
    await holder.query("rollback");
    await holder.end();
  };
}
const CHANGE = step(2, "alter table one add column name text");

test("while a step waits for a locked table others can read it, and the step is applied when the table is free", async () => {
  await migrate(database.url, [FIRST]);
  const release = await lockTable();
  const done = migrate(database.url, [FIRST, CHANGE], {
    lockRetries: { lockMs: 200, pauseMs: 100, tries: 1_000 },
  });
  const waits = "select from pg_locks where relation = 'one'::regclass and not granted";
  await waitUntil(async () => (await query(waits)).length > 0);
  // This statement queues behind the step until the step gives up its attempt.
  await query("set statement_timeout = '5s'; select from one");
  assert.deepEqual(await versions(), [1]);
  await release();
  assert.deepEqual(await done, [CHANGE.name]);
  assert.deepEqual(await versions(), [1, 2]);
});

test("a step whose table stays locked fails with one line after all attempts, and can be applied later", async () => {
  await migrate(database.url, [FIRST]);
  const release = await lockTable();
  await assert.rejects(
    migrate(database.url, [FIRST, CHANGE], { lockRetries: { lockMs: 50, pauseMs: 10, tries: 3 } }),
    (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /^Migration 0002-step\.sql needs a table [^\n]+$/);
      return true;
    },
  );
  await release();
  assert.deepEqual(await migrate(database.url, [FIRST, CHANGE]), [CHANGE.name]);
});

const INDEX = step(
  2,
  `${WITHOUT_TRANSACTION}drop index concurrently if exists ids;
create unique index concurrently ids on one (id);
`,
);

test("an index is created while a transaction writes to the table, and while other processes wait to migrate", async () => {
  await migrate(database.url, [FIRST]);
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query("begin; insert into one values (1)");
  const done = Promise.all([1, 2, 3].map(() => migrate(database.url, [FIRST, INDEX])));
  const waits = "select from pg_locks where locktype = 'virtualxid' and not granted";
  await waitUntil(async () => (await query(waits)).length > 0);
  await query("set statement_timeout = '5s'; insert into one values (2)");
  await writer.query("commit");
  await writer.end();
  assert.deepEqual(
    (await done).filter((steps) => steps.length > 0),
    [[INDEX.name]],
  );
  assert.deepEqual(await versions(), [1, 2]);
  await assert.rejects(query("insert into one values (2)"), { code: "23505" });
});

test("an index that could not be created is created by the next attempt", async () => {
  await migrate(database.url, [FIRST]);
  await query("insert into one values (1), (1)");
  await assert.rejects(migrate(database.url, [FIRST, INDEX]), {
    message: /^Migration 0002-step\.sql failed: could not create unique index "ids"$/,
  });
  assert.deepEqual(await versions(), [1]);
  await query("truncate one");
  assert.deepEqual(await migrate(database.url, [FIRST, INDEX]), [INDEX.name]);
  assert.deepEqual(await query("select indisvalid from pg_index where indexrelid = 'ids'::regclass"), [
    { indisvalid: true },
  ]);
});

test("a step may take longer than the timeouts that the database sets", async () => {
  await query(`do $$ begin
    execute format('alter database %I set statement_timeout = 100', current_database());
    execute format('alter database %I set idle_in_transaction_session_timeout = 100', current_database());
  end $$`);
  const slow = step(1, "create table one (id integer); select pg_sleep(0.3)");
  assert.deepEqual(await migrate(database.url, [slow]), [slow.name]);
});

test("if the database cannot be reached, the error is one line without the password", async () => {
  await assert.rejects(migrate("postgres://me:s3cret@127.0.0.1:1/x"), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^The database cannot be used: [^\n]*ECONNREFUSED[^\n]*$/);
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  });
});

for (const [what, url, reason] of [
  ["a certificate that does not exist", "postgres://127.0.0.1:1/x?sslrootcert=/nope", /\/nope/],
  ["a malformed escape", "postgres://127.0.0.1:1/x%", /its URL has .* not written as %XX/],
] as const)
  test(`an address with ${what} is rejected in one line`, async () => {
    await assert.rejects(migrate(url), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /^The database cannot be used: [^\n]+$/);
      assert.match(error.message, reason);
      return true;
    });
  });

test("a read-only database is rejected in one line, even if it is up to date", async () => {
  await migrate(database.url, [FIRST]);
  const url = new URL(database.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  for (const steps of [[FIRST], [FIRST, SECOND]])
    await assert.rejects(migrate(url.href, steps), (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /^The database is read-only, such as a standby\. Set DATABASE_URL [^\n]+$/);
      return true;
    });
});

for (const [rights, reason] of [
  ["may not create tables", /permission denied for schema public/],
  ["may not use the schema", /no schema has been selected to create in/],
] as const)
  test(`a role that ${rights} is rejected in one line that says what it needs`, async () => {
    const role = `guest_${process.pid}`;
    await query(`create role ${role} login password 'secret'`);
    if (rights === "may not create tables") await query(`grant usage on schema public to ${role}`);
    try {
      const url = new URL(database.url);
      [url.username, url.password] = [role, "secret"];
      await assert.rejects(migrate(url.href, [FIRST]), (error: Error) => {
        assert.ok(error instanceof StartError);
        assert.match(
          error.message,
          /^Migration 0001-step\.sql could not be applied: [^\n]+\. The role [^\n]+$/,
        );
        assert.match(error.message, reason);
        return true;
      });
    } finally {
      await query(`drop owned by ${role}; drop role ${role}`);
    }
  });

test("a PostgreSQL older than 15 is rejected in one line and not changed", async () => {
  // There is no such server here; this function, found before the built-in one, reports its version.
  await query(`create function public.current_setting(text) returns text language sql
    as $$ select case when $1 = 'server_version_num' then '140012' end $$`);
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=public,pg_catalog");
  await assert.rejects(migrate(url.href, [FIRST]), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^The database is PostgreSQL 14; Signalbox needs 15 or newer\. [^\n]+$/);
    return true;
  });
  assert.deepEqual(await tables(), []);
});
