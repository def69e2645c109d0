import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { checkBackup } from "../doctor/check-backup.ts";
import type { BackupResult } from "./backup.ts";
import { rememberBackup } from "./history.ts";

const t = await useTestApp();
await makeUser(t.db);

const made: BackupResult = { tables: 1, rows: 2, files: 3, missing: [], bytes: 4, madeAt: new Date() };
const remember = (more: Partial<BackupResult> = {}) =>
  rememberBackup(t.database.url, "/backups/today", { ...made, ...more });
const age = async () =>
  /^signalbox_backup_age_seconds (.+)$/m.exec((await t.http.get("/api/metrics")).text)?.[1];

async function check(): Promise<string> {
  const client = await t.database.pool.connect();
  try {
    const { level, text } = await checkBackup(client);
    return `${level}: ${text}`;
  } finally {
    client.release();
  }
}

test("without a backup the doctor warns, and the metrics have no age", async () => {
  assert.equal(await check(), "warn: none has been made");
  assert.equal(await age(), undefined);
});

test("the doctor and the metrics show the age of the last backup", async () => {
  await remember({ madeAt: new Date(Date.now() - 3 * 86_400_000) });
  assert.equal(await check(), "warn: last made 3 days ago to /backups/today");
  await remember({ madeAt: new Date(Date.now() - 3 * 3_600_000) });
  assert.equal(await check(), "ok: last made 3 hours ago to /backups/today");
  const seconds = Number(await age());
  assert.ok(seconds >= 3 * 3_600 && seconds < 4 * 3_600, String(seconds));
});

test("the doctor warns about files that the last backup lacks", async () => {
  await remember({ missing: ["a", "b"] });
  assert.match(await check(), /^warn: last made 0 minutes ago .*, without 2 missing or damaged files$/);
});

test("a schema without the history does not prevent a backup", async () => {
  await sql`alter table backups rename to backups_aside`.execute(t.db);
  try {
    await remember();
    assert.equal(await check(), "warn: none has been made");
    assert.equal(await age(), undefined);
  } finally {
    await sql`alter table backups_aside rename to backups`.execute(t.db);
  }
});
