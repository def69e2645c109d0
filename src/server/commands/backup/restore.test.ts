import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { before, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { backUpTo, makeBackupFolder, restoreFrom } from "../../../../test/support/backups.ts";
import { openBoard } from "../../../../test/support/board.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { collectAnswers, fillInstallation, type Filled } from "../../../../test/support/filled.ts";
import { temporaryFiles } from "../../../../test/support/files.ts";
import { attachmentsElsewhere } from "../../../../test/support/other-disk.ts";
import { makeProjectToken, makeWorkspace, makeCookie } from "../../../../test/support/make.ts";
import { emptyDatabase } from "../../../../test/support/postgres.ts";
import { openAppOn, openTestApp, SETUP_TOKEN, type TestApp } from "../../../../test/support/test-app.ts";
import { connect } from "../../db/connect.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { newKey } from "../../files/storage/storage.ts";
import { indexLocations } from "../../errors/groups/location-index.ts";
import { indexMessages } from "../../errors/groups/message-index.ts";
import { indexTags } from "../../errors/groups/tag-index.ts";
import { indexTagTimes } from "../../errors/groups/tag-times.ts";

const folder = await makeBackupFolder();

/** An intact backup. */
let file: string;
let filled: Filled;
let expected: Record<string, string>;
before(async () => {
  file = path.join(folder, "whole.backup");
  const t = await openTestApp();
  filled = await fillInstallation(t);
  expected = await collectAnswers(filled.browser, filled.reads);
  await backUpTo(t, file);
  await t.close();
});
const anyFolder = () => path.join(folder, newKey());

test("a backup is restored when the attachments folder is on another disk", async () => {
  const database = await emptyDatabase();
  const dataDir = path.join(folder, "two-disks");
  const remove = await attachmentsElsewhere(dataDir);
  try {
    const { files } = await restoreFrom(file, database.url, dataDir);
    assert.equal(files, filled.files);
    assert.deepEqual(await temporaryFiles({ dataDir }), []);
  } finally {
    await remove();
    await database.drop();
  }
});

test("a database owner without further privileges can restore into an installation that was started but not set up", async () => {
  const database = await emptyDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const role = `owner_${newKey().replaceAll("-", "")}`;
  try {
    await admin.query(`create role ${role} login password 'secret' nosuperuser`);
    const url = new URL(database.url);
    await admin.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    await admin.query(`alter schema public owner to ${role}`);
    url.username = role;
    url.password = "secret";
    await migrate(url.href);
    await admin.query("insert into retention_runs (started_at, outcome) values (now(), 'done')");
    const dataDir = path.join(folder, "owner");
    const { rows, files } = await restoreFrom(file, url.href, dataDir);
    assert.ok(rows > 50);
    assert.equal(files, filled.files);
    const app = await openAppOn(url.href, { DATA_DIR: dataDir });
    assert.deepEqual(await collectAnswers(app.http.withCookie(filled.cookie), filled.reads), expected);
    await app.close();
  } finally {
    await admin.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    await admin.end();
    await database.drop();
  }
});

test("errors are found by tag and text after a restore into an installation whose jobs have run", async () => {
  const source = await openTestApp();
  const target = await emptyDatabase();
  try {
    const workspace = await makeWorkspace(source.db);
    const { id } = await openBoard(source, workspace);
    const sender = source.http.as(await makeProjectToken(source.db, id, workspace.admin.id));
    const cookie = await makeCookie(source.db, workspace.admin.id);
    const event = anEvent({ message: "The signal failed", tags: { track: "4" } });
    assert.equal((await sender.post(`/api/projects/${id}/error-events`, event)).status, 202);
    // Long ago, because lists always read the groups of the last minutes.
    await sql`update error_groups set last_seen_at = now() - interval '1 day', last_seen_span = now() - interval '1 day'`.execute(
      source.db,
    );
    await sql`update error_group_details set received_at = now() - interval '1 day'`.execute(source.db);
    const lists = [`/api/error-groups?tag=track:4`, `/api/error-groups?query=signal`];
    const counts = (app: TestApp) =>
      Promise.all(lists.map(async (url) => (await app.http.withCookie(cookie).get(url)).body.data.length));
    assert.deepEqual(await counts(source), [1, 1]);
    const archive = path.join(folder, "found.backup");
    await backUpTo(source, archive);
    await migrate(target.url);
    const { db, close } = connect(target.url, () => {});
    for (const index of [indexTags, indexTagTimes, indexMessages, indexLocations]) await index(db);
    await close();
    await restoreFrom(archive, target.url, anyFolder());
    const app = await openAppOn(target.url);
    for (const index of [indexTags, indexTagTimes, indexMessages, indexLocations]) await index(app.db);
    assert.deepEqual(await counts(app), [1, 1]);
    await app.close();
  } finally {
    await source.close();
    await target.drop();
  }
});

test("a backup with an older schema is loaded with that schema and then migrated", async () => {
  const steps = await readMigrations();
  const older = steps.slice(0, 11);
  const [source, target] = [await emptyDatabase(), await emptyDatabase()];
  try {
    await migrate(source.url, older);
    const client = new pg.Client({ connectionString: source.url });
    await client.connect();
    await client.query(
      "insert into users (username, email, first_name, last_name) values ('old', 'old@example.com', 'Old', 'Hand')",
    );
    await client.end();
    const archive = path.join(folder, "older.backup");
    const storage = await openStorage({ dataDir: folder, storage: undefined });
    await backUpTo({ database: source, storage }, archive);
    const result = await restoreFrom(archive, target.url, anyFolder());
    assert.deepEqual(
      result.steps,
      steps.slice(11).map((step) => step.name),
    );
    assert.deepEqual(await migrate(target.url), []);
    const app = await openAppOn(target.url);
    const [user] = await app.db.selectFrom("users").select(["username", "theme"]).execute();
    assert.deepEqual(user, { username: "old", theme: "system" });
    await app.close();

    const newer = await emptyDatabase();
    await migrate(newer.url);
    await assert.rejects(restoreFrom(archive, newer.url, anyFolder()), {
      message:
        /^The database is empty but has schema \d+, which is newer than the backup's schema 11\. Restore into a new database/,
    });
    await newer.drop();
  } finally {
    await source.drop();
    await target.drop();
  }
});

test("if a restore and the first-run setup race, one succeeds and the other is rejected", async () => {
  const app = await openTestApp();
  try {
    const dataDir = path.join(folder, "race");
    await mkdir(dataDir);
    const [restored, setup] = await Promise.allSettled([
      restoreFrom(file, app.database.url, dataDir),
      app.http.post("/api/setup", {
        setup_token: SETUP_TOKEN,
        workspace_name: "Late",
        first_name: "Bo",
        last_name: "Late",
        username: "late",
        email: "late@example.com",
        password: "correct horse",
      }),
    ]);
    const users = await app.db.selectFrom("users").select("email").execute();
    const won = restored.status === "fulfilled" ? "ada@example.com" : "late@example.com";
    assert.deepEqual(users, [{ email: won }]);
    const status = setup.status === "fulfilled" ? setup.value.status : 0;
    assert.equal(status === 201, restored.status === "rejected");
    if (restored.status === "rejected")
      assert.match(String(restored.reason.message), /^This installation is in use/);
  } finally {
    await app.close();
  }
});
