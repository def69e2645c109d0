import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { collectAnswers, fillInstallation, type Filled } from "../../../../test/support/filled.ts";
import { storedKeys } from "../../../../test/support/files.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { connectionOptions } from "../../db/connection-options.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import { checkArchive } from "./archive-reader.ts";
import { backUp } from "./backup.ts";
import { EXCLUDED_TABLES } from "./catalog.ts";
import { restore } from "./restore.ts";
import { waitUntil } from "../../../../test/support/eventually.ts";

const quiet = { update: () => {}, end: () => {} };

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-backup-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const backUpTo = (t: TestApp, file: string, storage = t.storage) =>
  backUp({
    url: t.database.url,
    storage,
    destination: createWriteStream(file),
    version: "0.1.0",
    progress: quiet,
  });

async function restoreFrom(file: string, url: string, dataDir: string) {
  const storage = await openStorage({ dataDir, storage: undefined });
  return restore({ file, openDatabase: async () => ({ url }), storage, dataDir, progress: quiet });
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** All constraints and triggers of the database. */
const constraintsAndTriggersOf = (url: string) =>
  query(
    url,
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal
    order by 1, 2`,
  );

describe("an installation restored from a backup made under load", () => {
  let source: TestApp;
  let filled: Filled;
  let expected: Record<string, string>;
  let database: { url: string; drop(): Promise<void> };
  let copy: TestApp;
  let file: string;
  const sent = { before: 0, all: 0 };
  before(async () => {
    source = await openTestApp();
    filled = await fillInstallation(source);
    expected = await collectAnswers(filled.browser, filled.reads);
    file = path.join(folder, "full.backup");
    const state = { stop: false };
    const busy = (async () => {
      while (!state.stop) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => filled.busy.sender.post(filled.busy.events, anEvent())),
        );
        assert.ok(answers.every((answer) => answer.status === 202));
        sent.all += answers.length;
      }
    })();
    while (sent.all < 100)
      await filled.busy.sender.post(filled.busy.events, anEvent()).then(() => (sent.all += 1));
    sent.before = sent.all;
    const { missing } = await backUpTo(source, file);
    assert.deepEqual(missing, []);
    state.stop = true;
    await busy;
    database = await emptyDatabase();
    const dataDir = path.join(folder, "restored");
    await restoreFrom(file, database.url, dataDir);
    copy = await openAppOn(database.url, { DATA_DIR: dataDir });
  });
  after(async () => {
    await copy.close();
    await database.drop();
    await source.close();
  });

  test("returns the same responses, byte for byte, to existing sessions and tokens", async () => {
    const reader = copy.http.withCookie(filled.cookie);
    assert.deepEqual(await collectAnswers(reader, filled.reads), expected);
    assert.ok(Object.keys(expected).length > 20);
    const byToken = await copy.http.as(filled.token).get(filled.reads[0] as string);
    assert.equal(byToken.text, expected[filled.reads[0] as string]);
    const signIn = await copy.http.post("/api/session", {
      email: "ada@example.com",
      password: "correct horse",
    });
    assert.equal(signIn.status, 200, signIn.text);
  });

  test("has the events of one snapshot, with consistent counts", async () => {
    const list = await copy.http.withCookie(filled.cookie).get(filled.busy.groups);
    const [group] = list.body.data;
    assert.ok(group.occurrence_count >= sent.before && group.occurrence_count <= sent.all);
    const [row] = await query<{ days: number }>(
      database.url,
      `select (select sum(n)::int from unnest(daily_counts) n) as days from error_groups where id = ${group.id}`,
    );
    assert.equal(row?.days, group.occurrence_count);
  });

  test("has exactly the same files", async () => {
    assert.ok(filled.files > 3);
    assert.deepEqual(await storedKeys(copy), await storedKeys(source));
    assert.equal((await storedKeys(copy)).length, filled.files);
  });

  test("rejects another restore because it is in use, and does not change", async () => {
    const dataDir = path.join(folder, "second");
    const reads = () => collectAnswers(copy.http.withCookie(filled.cookie), filled.reads);
    const before = await reads();
    await assert.rejects(restoreFrom(file, database.url, dataDir), {
      message: /^This installation is in use/,
    });
    assert.deepEqual(await reads(), before);
  });

  test("continues its sequences, emits live changes, and has the same constraints and triggers", async () => {
    const writer = copy.http.withCookie(filled.cookie);
    const last = await query<{ id: number }>(database.url, "select max(id) as id from issues");
    const made = await writer.post(filled.issues, { title: "After the fire" });
    assert.equal(made.status, 201, made.text);
    assert.ok(made.body.id > Number(last[0]?.id));
    assert.deepEqual(
      await query(database.url, `select kind from changes where target_id = ${made.body.id}`),
      [{ kind: "issue" }],
    );
    assert.deepEqual(
      await constraintsAndTriggersOf(database.url),
      await constraintsAndTriggersOf(source.database.url),
    );
    const deleted = await writer.delete(filled.reportWithFiles);
    assert.equal(deleted.status, 204);
    assert.ok((await storedKeys(copy)).length < filled.files);
  });

  test("every table is either in the archive or excluded with a reason", async () => {
    const { tables } = await checkArchive(file);
    const all = await query<{ name: string; permanent: boolean }>(
      source.database.url,
      `select relname as name, relpersistence = 'p' as permanent from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm', 'f') and not relispartition order by 1`,
    );
    const known = [...tables.map((table) => table.name), ...Object.keys(EXCLUDED_TABLES)];
    assert.deepEqual(
      known.toSorted(),
      all.map((table) => table.name),
    );
    // PostgreSQL empties unlogged tables after a crash, so they must be excluded.
    for (const table of all) assert.ok(table.permanent || table.name in EXCLUDED_TABLES, table.name);
    assert.ok(Object.values(EXCLUDED_TABLES).every((reason) => reason !== ""));
  });

  test("every table about errors has rows in the archive, which the other tests compare", async () => {
    const { tables } = await checkArchive(file);
    const about = tables.filter(({ name }) => /error|release|regression|_rule|_usage|_storm/.test(name));
    assert.ok(about.length > 20);
    assert.deepEqual(
      about.filter(({ rows }) => rows === 0).map(({ name }) => name),
      [],
    );
  });

  test("a backup of the restored installation has identical content", async () => {
    const archive = path.join(folder, "again.backup");
    const fresh = await emptyDatabase();
    try {
      const dataDir = path.join(folder, "third");
      await restoreFrom(file, fresh.url, dataDir);
      const storage = await openStorage({ dataDir, storage: undefined });
      await backUp({
        url: fresh.url,
        storage,
        destination: createWriteStream(archive),
        version: "0.1.0",
        progress: quiet,
      });
      const [first, second] = [await checkArchive(file), await checkArchive(archive)];
      assert.deepEqual(second.tables, first.tables);
      assert.deepEqual(second.sequences, first.sequences);
      assert.deepEqual(second.members, first.members);
    } finally {
      await fresh.drop();
    }
  });
});

/** Waits until the application's idle transaction has been idle for 300 ms or has been terminated. */
async function waitForIdleTransaction(url: string, application: string) {
  const text = `select extract(epoch from clock_timestamp() - state_change)::float8 * 1000 as ms from pg_stat_activity
    where datname = current_database() and application_name = '${application}' and state = 'idle in transaction'`;
  await waitUntil(async () => (await query<{ ms: number }>(url, text)).every(({ ms }) => ms >= 300));
}

test("backup and restore succeed when files take longer than idle_in_transaction_session_timeout", async () => {
  const source = await openTestApp();
  const database = await emptyDatabase();
  try {
    await fillInstallation(source);
    for (const { url } of [source.database, database])
      await query(
        url,
        `do $$ begin
          execute format('alter database %I set idle_in_transaction_session_timeout = 100', current_database());
        end $$`,
      );
    const file = path.join(folder, "slow.backup");
    const slowly: Storage = {
      ...source.storage,
      open: async (key) => {
        await waitForIdleTransaction(source.database.url, "signalbox backup");
        return source.storage.open(key);
      },
    };
    const { files, missing } = await backUpTo(source, file, slowly);
    assert.deepEqual(missing, []);
    const dataDir = path.join(folder, "slow");
    const storage = await openStorage({ dataDir, storage: undefined });
    const result = await restore({
      file,
      openDatabase: async () => database,
      storage: {
        ...storage,
        put: async (key, from) => {
          await waitForIdleTransaction(database.url, "signalbox restore");
          return storage.put(key, from);
        },
      },
      dataDir,
      progress: quiet,
    });
    assert.equal(result.files, files);
  } finally {
    await source.close();
    await database.drop();
  }
});

test("special values survive a backup and restore", async () => {
  const source = await openTestApp();
  const database = await emptyDatabase();
  try {
    const hard = "\\N \\. \\\\ \t \r\n \u0001 \u2028 é 😀 'quoted' \"twice\" {a,b} NULL";
    const { rows } = await source.database.pool.query(
      `insert into users (username, email, first_name, last_name, profile_picture, created_at)
      values ('hard', 'hard@example.com', $1, '', $2, '0044-03-15 12:00:00.000001 BC') returning id`,
      [hard, JSON.stringify({ text: hard, number: 12345678901234567890n.toString(), list: [null, ""] })],
    );
    await source.database.pool.query(
      `insert into sessions (id_hash, user_id, expires_at) values ($1, $2, 'infinity')`,
      [Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), rows[0].id],
    );
    await source.database.pool.query(
      `insert into mails (user_id, subject, lines, button_label, secret_link) values ($1, '', $2, '', true)`,
      [rows[0].id, [hard, "", 'a"b,c}', "NULL"]],
    );
    const file = path.join(folder, "hard.backup");
    await backUpTo(source, file);
    await restoreFrom(file, database.url, path.join(folder, "hard"));
    for (const table of ["users", "sessions", "mails"]) {
      const text = `select to_jsonb(t)::text as row from ${table} t`;
      const [there, here] = [await query(source.database.url, text), await query(database.url, text)];
      assert.equal(there.length, 1);
      assert.deepEqual(here, there);
    }
  } finally {
    await database.drop();
    await source.close();
  }
});

test("a table larger than one chunk is split and restored completely", async () => {
  const source = await openTestApp();
  const database = await emptyDatabase();
  try {
    await source.database.pool.query(
      `insert into users (username, email, first_name, last_name)
      select 'u' || n, n || '@example.com', repeat(md5(n::text), 40000), E'\\n' from generate_series(1, 12) n`,
    );
    const file = path.join(folder, "large.backup");
    await backUpTo(source, file);
    const parts = (await checkArchive(file)).members.filter((member) =>
      member.name.startsWith("tables/users/"),
    );
    assert.ok(parts.length >= 3, `${parts.length} parts`);
    assert.ok(parts.every((part) => part.size < 8_000_000));
    await restoreFrom(file, database.url, path.join(folder, "large"));
    const digest =
      "select count(*)::int as count, md5(string_agg(u::text, '|' order by id)) as rows from users u";
    const [there, here] = [await query(source.database.url, digest), await query(database.url, digest)];
    assert.deepEqual(here, there);
    assert.equal(here[0]?.["count"], 12);
  } finally {
    await database.drop();
    await source.close();
  }
});

test("missing and damaged files are listed, and everything else is in the backup", async () => {
  const source = await openTestApp();
  try {
    const filled = await fillInstallation(source);
    const [lost, damaged] = (
      await query<{ key: string }>(
        source.database.url,
        "select storage_key as key from attachments order by id limit 2",
      )
    ).map((row) => row.key) as [string, string];
    await source.storage.remove(lost);
    const other = path.join(folder, newKey());
    await writeFile(other, "something else");
    await source.storage.put(damaged, other);
    const file = path.join(folder, "incomplete.backup");
    const { missing, files } = await backUpTo(source, file);
    assert.deepEqual(missing.toSorted(), [lost, damaged].toSorted());
    assert.equal(files, filled.files - 2);
    assert.deepEqual((await checkArchive(file)).missing_files, missing);
  } finally {
    await source.close();
  }
});

test("an attachment deleted during the backup is included with its row or not at all", async () => {
  const source = await openTestApp();
  const database = await emptyDatabase();
  try {
    const filled = await fillInstallation(source);
    const keys = await storedKeys(source);
    let first = true;
    // Delete the report with several files when the first file is read.
    const storage = {
      ...methodsOf(source),
      open: async (key: string) => {
        if (first) {
          first = false;
          assert.equal((await filled.browser.delete(filled.reportWithFiles)).status, 204);
        }
        return source.storage.open(key);
      },
    };
    const file = path.join(folder, "deleted.backup");
    const { missing, files } = await backUpTo(source, file, storage);
    assert.deepEqual(missing, []);
    assert.ok(files < keys.length);
    const dataDir = path.join(folder, "deleted");
    await restoreFrom(file, database.url, dataDir);
    const copy = await openAppOn(database.url, { DATA_DIR: dataDir });
    try {
      const rows = await query<{ key: string }>(
        database.url,
        "select storage_key as key from attachments union all select storage_key from profile_pictures",
      );
      assert.deepEqual(rows.map((row) => row.key).toSorted(), await storedKeys(copy));
    } finally {
      await copy.close();
    }
  } finally {
    await database.drop();
    await source.close();
  }
});

function methodsOf({ storage }: TestApp) {
  return {
    put: storage.put.bind(storage),
    remove: storage.remove.bind(storage),
    list: storage.list.bind(storage),
    close: () => {},
  };
}

test("a database without Signalbox is not backed up", async () => {
  const source = await openTestApp();
  try {
    await source.database.pool.query("drop table schema_migrations");
    await assert.rejects(backUpTo(source, path.join(folder, "none.backup")), {
      message: "The database contains no Signalbox data: nothing to back up.",
    });
  } finally {
    await source.close();
  }
});
