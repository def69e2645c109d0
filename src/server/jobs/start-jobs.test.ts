import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Logger } from "pino";
import { eventually } from "../../../test/support/eventually.ts";
import { listeningLog } from "../../../test/support/listening-log.ts";
import { makeUser } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { BackupSettings } from "../config/backup-settings.ts";
import { readConfig } from "../config/config.ts";
import { startJobs } from "./start-jobs.ts";

const t = await useTestApp();

// Jobs that succeeded minutes ago do not run at the start.
beforeEach(() => t.db.deleteFrom("background_jobs").execute());

const start = (log: Logger, backup?: BackupSettings) =>
  startJobs({
    database: t.database,
    config: { ...readConfig({}, "/"), mail: undefined, retentionDays: 90, backup, webhookAllow: [] },
    storage: t.storage,
    publicUrl: () => "http://localhost:3000",
    log,
  });

const runs = async () =>
  (await t.db.selectFrom("retention_runs").select("outcome").execute()).map((run) => run.outcome);

test("two processes start at the same time without an error, and retention runs at once", async () => {
  const [a, b] = [listeningLog(), listeningLog()];
  const jobs = [start(a.log), start(b.log)];
  await Promise.race([a.line("Retention deleted"), b.line("Retention deleted")]);
  await Promise.all(jobs.map((job) => job.stop()));
  assert.deepEqual(new Set(await runs()), new Set(["done"]));
  assert.deepEqual(
    [...a.lines, ...b.lines].filter((line) => JSON.parse(line).level > 30),
    [],
  );
});

test("a retention run that fails is logged", async () => {
  await sql`alter table retention_runs rename to gone`.execute(t.db);
  const { log, line } = listeningLog();
  const jobs = start(log);
  const { level, job, err } = JSON.parse(await line("a background job failed"));
  await jobs.stop();
  await sql`alter table gone rename to retention_runs`.execute(t.db);
  assert.deepEqual([level, job], [50, "retention"]);
  assert.match(err.message, /retention_runs/);
});

test("a retention run that the safety check refuses logs a warning with the reason", async () => {
  await sql`insert into retention_runs (started_at, outcome) values (now() + interval '1 day', 'done')`.execute(
    t.db,
  );
  const { log, line } = listeningLog();
  const jobs = start(log);
  const { level, msg } = JSON.parse(await line("Retention refused"));
  await jobs.stop();
  assert.equal(level, 40);
  assert.match(msg, /clock is earlier than the last run/);
});

test("a backup is made when it is due, and its schedule is forgotten when it is no longer set", async () => {
  await makeUser(t.db);
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-scheduled-"));
  await sql`insert into background_jobs (name, period, due_at) values ('backup', '1 day', now())`.execute(
    t.db,
  );
  const { log, line } = listeningLog();
  const jobs = start(log, {
    place: { folder },
    schedule: { periodSeconds: 86_400, offsetSeconds: 0 },
    keep: 7,
  });
  const { destination } = JSON.parse(await line("a backup was made"));
  await jobs.stop();
  assert.deepEqual(await readdir(folder), [path.basename(destination)]);
  const rows = () => t.db.selectFrom("background_jobs").select("name").where("name", "=", "backup").execute();
  assert.equal((await rows()).length, 1);
  const again = start(listeningLog().log);
  await eventually(async () => (await rows()).length, 0);
  await again.stop();
  await rm(folder, { recursive: true });
});
