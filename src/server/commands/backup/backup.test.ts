import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { backUpTo, makeBackupFolder, query, quiet, restoreFrom } from "../../../../test/support/backups.ts";
import { waitUntil } from "../../../../test/support/eventually.ts";
import { storedKeys } from "../../../../test/support/files.ts";
import { fillInstallation } from "../../../../test/support/filled.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { StartError } from "../../config/start-error.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";
import { checkArchive } from "./archive-reader.ts";
import { restore } from "./restore.ts";

const folder = await makeBackupFolder();

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

test("a restore onto a full disk says which one and what to do, and leaves no file behind", async () => {
  const source = await openTestApp();
  const database = await emptyDatabase();
  try {
    await fillInstallation(source);
    const file = path.join(folder, "large.backup");
    const { files } = await backUpTo(source, file);
    const dataDir = path.join(folder, "full");
    const storage = await openStorage({ dataDir, storage: undefined });
    let stored = 0;
    const full: Storage = {
      ...storage,
      remove: (key) => storage.remove(key),
      put: async (key, from) => {
        await storage.put(key, from);
        // The last file does not fit.
        if (++stored === files) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      },
    };
    const restored = restore({
      file,
      openDatabase: async () => database,
      storage: full,
      dataDir,
      progress: quiet,
    });
    await assert.rejects(restored, (error: Error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, new RegExp(`disk of ${dataDir} is full: no space left\\..* restore again`));
      return true;
    });
    assert.ok(stored > 1);
    assert.deepEqual(await storedKeys({ storage }), []);
    assert.equal((await restoreFrom(file, database.url, dataDir)).files, files);
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
