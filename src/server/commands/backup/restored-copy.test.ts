import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { backUpTo, makeBackupFolder, query, restoreFrom } from "../../../../test/support/backups.ts";
import { checkOpenCounts } from "../../../../test/support/check-open-counts.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { storedKeys } from "../../../../test/support/files.ts";
import { collectAnswers, fillInstallation, type Filled } from "../../../../test/support/filled.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { checkArchive } from "./archive-reader.ts";
import { EXCLUDED_TABLES } from "./catalog.ts";

const folder = await makeBackupFolder();

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
    await checkOpenCounts(copy.db);
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
      await backUpTo({ database: fresh, storage }, archive);
      const [first, second] = [await checkArchive(file), await checkArchive(archive)];
      assert.deepEqual(second.tables, first.tables);
      assert.deepEqual(second.sequences, first.sequences);
      assert.deepEqual(second.members, first.members);
    } finally {
      await fresh.drop();
    }
  });
});
