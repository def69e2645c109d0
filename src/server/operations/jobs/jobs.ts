import type { Logger } from "pino";
import { PgBoss } from "pg-boss";
import { deleteOldAuditEvents } from "../../people/audit-log/old-audit-events.ts";
import { openPool, type Database } from "../../db/connect.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import { renumberLongLanes } from "../../work/issues/renumber-lanes.ts";
import { deleteOldMails } from "../../mail/outbox.ts";
import { deleteOldChanges } from "../../live/change-log.ts";
import { renumberLongQueues } from "../../intake/reports/queue.ts";
import { runRetention } from "../../intake/retention/retention.ts";
import { deleteExpiredSessions } from "../../account/sessions/expired-sessions.ts";
import { removeDeletedFiles } from "../../files/storage/remove-deleted-files.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { sweepFiles } from "../../files/storage/sweep-files.ts";

export type Jobs = { stop(): Promise<void> };

export type JobsOptions = {
  database: Database;
  limiter: RateLimiter;
  storage: Storage;
  retentionDays: number;
  log: Logger;
};

/** A queue of its own, worked at by any number of processes, of which one runs it at a time. */
type Job = { name: string; cron: string; atStart?: boolean; longest: number; run: () => Promise<unknown> };

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Starts the background jobs. What deletes by age runs daily at night, and once at the start. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { database, log } = options;
  const pool = openPool(database.url, (error) => log.warn({ err: error }, "a job's connection failed"), {
    max: 3,
    statement_timeout: 60_000,
    application_name: "signalbox jobs",
  });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    // Its own reindexing and statistics are for queues far larger than ours.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "the job queue failed"));
  await boss.start();
  for (const job of jobs(options, pool)) await start(boss, job, log);
  return {
    stop: async () => {
      await boss.stop({ graceful: true, timeout: 5_000 });
      await pool.end();
    },
  };
}

function jobs(
  { database: { db }, limiter, storage, retentionDays, log }: JobsOptions,
  pool: ReturnType<typeof openPool>,
): Job[] {
  return [
    {
      name: "retention",
      cron: "17 3 * * *",
      atStart: true,
      longest: 6 * HOUR,
      run: async () => {
        const { message, ...result } = await runRetention(pool, retentionDays);
        log[result.outcome === "done" ? "info" : "warn"](result, message);
      },
    },
    {
      name: "file-sweep",
      cron: "47 3 * * *",
      atStart: true,
      longest: 6 * HOUR,
      run: async () => {
        const { message, ...result } = await sweepFiles(db, storage);
        if (result.outcome === "refused" || result.removed > 0) log.warn(result, message);
      },
    },
    { name: "old-mails", cron: "37 3 * * *", longest: HOUR, run: () => deleteOldMails(db, retentionDays) },
    { name: "old-audit-events", cron: "7 4 * * *", longest: HOUR, run: () => deleteOldAuditEvents(db) },
    { name: "old-sessions", cron: "27 4 * * *", longest: HOUR, run: () => deleteExpiredSessions(db) },
    {
      name: "file-deletions",
      cron: "*/5 * * * *",
      longest: 10 * MINUTE,
      run: () => removeDeletedFiles(db, storage),
    },
    { name: "old-changes", cron: "*/5 * * * *", longest: 10 * MINUTE, run: () => deleteOldChanges(db) },
    { name: "rate-limits", cron: "*/5 * * * *", longest: MINUTE, run: () => limiter.sweep() },
    { name: "report-ranks", cron: "*/5 * * * *", longest: 10 * MINUTE, run: () => renumberLongQueues(db) },
    { name: "issue-ranks", cron: "29 * * * *", longest: 10 * MINUTE, run: () => renumberLongLanes(db) },
  ];
}

async function start(boss: PgBoss, { name, cron, atStart, longest, run }: Job, log: Logger) {
  // At most one run waits or works, however many processes start.
  await boss.createQueue(name, { policy: "exclusive", retryLimit: 0, expireInSeconds: longest });
  // Sent before anybody works: the first look at the queue finds it.
  if (atStart) await boss.send(name, null);
  await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
    try {
      await run();
    } catch (error) {
      // The queue only keeps a failure in its own tables, where nobody looks.
      log.error({ err: error, job: name }, "a background job failed");
      throw error;
    }
  });
  await boss.schedule(name, cron);
}
