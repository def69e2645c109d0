import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fillInstallation } from "../../../../test/support/filled.ts";
import { attachmentsElsewhere } from "../../../../test/support/other-disk.ts";
import { cloneDatabase, emptyDatabase } from "../../../../test/support/postgres.ts";
import { makeHome, run } from "../../../../test/support/program.ts";
import { openSmtpSink } from "../../../../test/support/smtp-sink.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";
import { readConfig } from "../../config/config.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { newKey } from "../../files/storage/storage.ts";
import { checkAddress } from "./check-address.ts";
import { checkContents } from "./check-contents.ts";
import { checkDatabase } from "./check-database.ts";
import { lineOf, type Finding } from "./finding.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkDataDir, checkNode } from "./check-machine.ts";
import { checkMailServer } from "./check-mail-server.ts";
import { checkStorage } from "./check-storage.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "signalbox-doctor-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const levels = (findings: Finding[]) => Object.fromEntries(findings.map(({ what, level }) => [what, level]));
const texts = (findings: Finding[]) => Object.fromEntries(findings.map(({ what, text }) => [what, text]));

test("a Node.js version that is too old fails, and the current one passes", () => {
  assert.equal(checkNode("24.6.9").level, "fail");
  assert.equal(checkNode("20.19.0").level, "fail");
  assert.equal(checkNode("24.7.0").level, "ok");
  assert.equal(checkNode("25.0.0").level, "ok");
  assert.equal(checkNode(process.versions.node).level, "ok");
});

test("the address check depends on who can reach the server", () => {
  const cases: [host: string, publicUrl: string | undefined, level: string][] = [
    ["127.0.0.1", undefined, "ok"],
    ["0.0.0.0", undefined, "warn"],
    ["::", undefined, "warn"],
    ["0.0.0.0", "https://signalbox.example.com", "ok"],
    ["127.0.0.1", "https://signalbox.example.com", "ok"],
    ["0.0.0.0", "http://signalbox.example.com", "fail"],
    ["127.0.0.1", "http://signalbox.example.com", "fail"],
    ["127.0.0.1", "http://localhost:3000", "ok"],
    ["0.0.0.0", "http://localhost:3000", "warn"],
    ["0.0.0.0", "https://localhost", "warn"],
  ];
  for (const [host, publicUrl, level] of cases)
    assert.equal(checkAddress({ host, port: 3000, publicUrl }).level, level, `${host} ${publicUrl}`);
});

test("a data folder that others can write to is a warning, and a file in its place fails", async () => {
  const dataDir = path.join(folder, "data");
  await mkdir(dataDir);
  assert.deepEqual(levels(await checkDataDir(dataDir)), { "data folder": "ok" });
  await chmod(dataDir, 0o777);
  assert.deepEqual(levels(await checkDataDir(dataDir)), { "data folder": "warn" });
  const file = path.join(folder, "file");
  await writeFile(file, "");
  assert.deepEqual(levels(await checkDataDir(file)), { "data folder": "fail" });
  assert.deepEqual(levels(await checkDataDir(path.join(file, "x"))), { "data folder": "fail" });
});

test("the storage check leaves no files behind, and fails if the storage does not work", async () => {
  const dataDir = path.join(folder, "stored");
  await mkdir(dataDir);
  const storage = await openStorage({ dataDir, storage: undefined });
  assert.equal((await checkStorage(storage, { dataDir, storage: undefined })).level, "ok");
  for await (const { key } of storage.list()) assert.fail(`${key} was left behind`);

  const twoDisks = path.join(folder, "two-disks");
  const remove = await attachmentsElsewhere(twoDisks);
  const second = await openStorage({ dataDir: twoDisks, storage: undefined });
  assert.equal((await checkStorage(second, { dataDir: twoDisks, storage: undefined })).level, "ok");
  await remove();

  const open = path.join(dataDir, "attachments");
  await chmod(open, 0o755);
  const exposed = await checkStorage(storage, { dataDir, storage: undefined });
  assert.equal(exposed.level, "warn");
  assert.match(lineOf(exposed), /other accounts can read .*\s.*chmod go-rwx/);

  const broken = path.join(folder, "broken");
  await mkdir(broken);
  await writeFile(path.join(broken, "attachments"), "no folder");
  const none = await openStorage({ dataDir: broken, storage: undefined });
  assert.equal((await checkStorage(none, { dataDir: broken, storage: undefined })).level, "fail");

  const settings = readConfig(
    {
      STORAGE_URL: "s3://files?endpoint=http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "k",
      AWS_SECRET_ACCESS_KEY: "s3cret",
    },
    "/",
  );
  const store = await openStorage(settings);
  const finding = await checkStorage(store, settings);
  assert.equal(finding.level, "fail");
  assert.doesNotMatch(JSON.stringify(finding), /s3cret/);
  store.close();
});

test("the mail server check sends no email, and fails if the server is down or rejects the password", async () => {
  const sink = await openSmtpSink({ password: "right" });
  try {
    const withPassword = (pass: string) => ({
      ...sink.settings,
      smtp: { ...sink.settings.smtp, auth: { user: "me", pass } },
    });
    assert.equal((await checkMailServer(withPassword("right"))).level, "ok");
    assert.deepEqual([sink.mails, sink.refused], [[], []]);
    const refused = await checkMailServer(withPassword("wr0ng-secret"));
    assert.equal(refused.level, "fail");
    assert.doesNotMatch(refused.text, /wr0ng-secret/);
  } finally {
    await sink.close();
  }
  assert.equal((await checkMailServer(sink.settings)).level, "fail");
  assert.equal((await checkMailServer(undefined)).level, "ok");
});

test("a database that can lose committed data in a power failure fails", async () => {
  const database = await cloneDatabase();
  try {
    const { findings, usable } = await checkDatabase(database.url);
    // The tests' server runs with these settings off. All other checks pass.
    assert.deepEqual(levels(findings), { database: "ok", schema: "ok", durability: "fail", clock: "ok" });
    assert.match(texts(findings)["durability"] ?? "", /^fsync, full_page_writes, synchronous_commit off/);
    assert.equal(usable, true);
  } finally {
    await database.drop();
  }
});

test("a read-only database fails", async () => {
  const database = await cloneDatabase();
  try {
    const url = new URL(database.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const { findings, usable } = await checkDatabase(url.href);
    assert.equal(levels(findings)["database"], "fail");
    assert.match(texts(findings)["database"] ?? "", /^it is read-only, such as a standby$/);
    assert.equal(usable, true);
  } finally {
    await database.drop();
  }
});

test("missing migrations are a warning; a newer schema and an unreachable database fail", async () => {
  const database = await emptyDatabase();
  try {
    const schema = async () => levels((await checkDatabase(database.url)).findings)["schema"];
    assert.equal(await schema(), "warn");
    const steps = await readMigrations();
    await migrate(database.url, steps.slice(0, -1));
    assert.equal(await schema(), "warn");
    await migrate(database.url, [...steps, { version: 9999, name: "9999-later.sql", sql: "select 1" }]);
    assert.equal(await schema(), "fail");
  } finally {
    await database.drop();
  }
  const { findings, usable } = await checkDatabase("postgres://me:s3cret@127.0.0.1:1/x");
  assert.deepEqual([levels(findings), usable], [{ database: "fail" }, false]);
  assert.doesNotMatch(JSON.stringify(findings), /s3cret/);
});

test("failed emails and jobs, missing files and orphaned files are reported", async () => {
  const t = await openTestApp();
  try {
    const filled = await fillInstallation(t);
    const check = () => checkContents(t.database.url, t.storage);
    assert.deepEqual(levels(await check()), {
      mails: "ok",
      webhooks: "ok",
      git: "ok",
      jobs: "ok",
      backup: "warn",
      files: "ok",
      contents: "ok",
    });

    await t.database.pool.query(
      `insert into mails (workspace_id, user_id, subject, lines, button_label, secret_link, state, last_error)
      select 1, id, '', '{}', '', false, 'failed', '550 No such box' from users`,
    );
    await t.database.pool.query(
      `insert into webhooks (workspace_id, url, events, format, secret, failing_since)
      select id, 'https://hooks.example.com/', '{*}', 'signalbox', '', now() from workspaces limit 1`,
    );
    await t.database.pool.query(
      `with connection as (
        insert into git_connections (project_id, host, token, secret) select id, 'github', 'of-doctor', '' from projects limit 1
        returning id
      )
      insert into git_deliveries (connection_id, key, event, body, error, processed_at)
      select id, '', 'push', '{}', 'no such ref', now() from connection`,
    );
    await t.database.pool.query(
      `insert into background_jobs (name, period, due_at, succeeded_at, failures, last_error) values
        ('retention', '1 day', now(), now() - interval '3 days', 3, 'the disk is full'),
        ('mails', '1 second', null, now(), 1, 'the database was restarted'),
        ('old-mails', '1 day', now(), now() - interval '3 days', 0, null),
        ('file-sweep', '1 day', now(), now() - interval '47 hours', 0, null)`,
    );
    const [{ storage_key: lost }] = (await t.db
      .selectFrom("attachments")
      .select("storage_key")
      .limit(1)
      .execute()) as [{ storage_key: string }];
    await t.storage.remove(lost);
    for (const hours of [2, 0]) {
      const [key, file] = [newKey(), path.join(t.dataDir, "orphan")];
      await writeFile(file, "x");
      await t.storage.put(key, file);
      const time = new Date(Date.now() - hours * 3_600_000);
      await utimes(path.join(t.dataDir, "attachments", key.slice(0, 2), key), time, time);
    }
    const lines = (await check()).map(({ level, what, text }) => `${level} ${what}: ${text}`);
    assert.deepEqual(lines, [
      "warn mails: 1 failed in the last 7 days, most recently: 550 No such box",
      "warn webhooks: 1 is failing or was turned off for it",
      "warn git: 1 delivery of the last 7 days failed, most recently: no such ref",
      "warn jobs: mails failed once: the database was restarted",
      "warn jobs: old-mails last succeeded 3 days ago",
      "warn jobs: retention failed 3 times in a row: the disk is full",
      "warn backup: none has been made",
      `fail files: 1 of ${filled.files} attachments, pictures and source maps have no file`,
      "warn files: 1 belong to no attachment, picture or source map",
      `ok contents: ${filled.files - 1} of ${filled.files} were read, and all are as uploaded`,
    ]);
  } finally {
    await t.close();
  }
});

test("background jobs that run as scheduled pass, and late ones are a warning", async () => {
  const t = await openTestApp();
  const client = await t.database.pool.connect();
  try {
    await client.query(
      `insert into background_jobs (name, period, due_at, succeeded_at) values
        ('mails', '1 second', null, now()), ('old-mails', '1 day', now(), now() - interval '1 day')`,
    );
    const check = async () => (await checkJobs(client)).map(({ level, text }) => [level, text]);
    assert.deepEqual(await check(), [["ok", "2 run as scheduled"]]);
    await client.query(
      "update background_jobs set lease_id = gen_random_uuid(), leased_until = now() + interval '1 minute', succeeded_at = now() - interval '50 hours' where name = 'old-mails'",
    );
    assert.deepEqual(await check(), [["warn", "old-mails last succeeded 2 days ago and is still running"]]);
    await client.query(
      "update background_jobs set lease_id = null, leased_until = null, succeeded_at = now() - interval '3 days'",
    );
    assert.deepEqual(await check(), [["warn", "none has run for more than ten minutes"]]);
  } finally {
    client.release();
    await t.close();
  }
});

test("the command exits with code 1 if a check fails, and says how to fix it", async () => {
  const home = await makeHome();
  try {
    const { code, stdout, stderr } = await run(home, ["doctor"], {
      DATABASE_URL: "postgres://me:s3cret@127.0.0.1:1/x",
      HOST: "0.0.0.0",
    });
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(
      stdout,
      /^fail {2}database: cannot be used: [^\n]*ECONNREFUSED[^\n]*\n {6}→ [^\n]*DATABASE_URL/m,
    );
    assert.match(stdout, /^warn {2}address: others can reach 0\.0\.0\.0/m);
    assert.match(stdout, /^ok {4}mail: SMTP_URL is not set/m);
    assert.doesNotMatch(stdout, /s3cret/);
  } finally {
    await home.remove();
  }
});

test("addresses that lead to different databases fail", async () => {
  const home = await makeHome();
  const [pooled, direct] = [await cloneDatabase(), await cloneDatabase()];
  try {
    const settings = { DATABASE_URL: pooled.url, DATABASE_DIRECT_URL: direct.url };
    const { code, stdout } = await run(home, ["doctor"], settings);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^fail {2}database: DATABASE_URL and DATABASE_DIRECT_URL lead to different databases\.$/m,
    );
  } finally {
    await direct.drop();
    await pooled.drop();
    await home.remove();
  }
});
