import type { Logger } from "pino";
import { PgBoss } from "pg-boss";
import type { RateLimiter } from "../http/rate-limit.ts";
import { openPool, type Database } from "../db/connect.ts";
import { runRetention } from "../retention/retention.ts";

/** Queues of the background jobs; any number of processes share them. */
const RETENTION = "retention";
const RATE_LIMITS = "rate-limits";

export type Jobs = { stop(): Promise<void> };

export type JobsOptions = {
  database: Database;
  limiter: RateLimiter;
  retentionDays: number;
  log: Logger;
};

/** Starts the background jobs: retention daily (and now), sweeping of old rate limits. */
export async function startJobs({ database, limiter, retentionDays, log }: JobsOptions): Promise<Jobs> {
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

  // At most one run waits or works, however many processes start.
  await boss.createQueue(RETENTION, { policy: "exclusive", retryLimit: 0, expireInSeconds: 6 * 3600 });
  await boss.createQueue(RATE_LIMITS, { policy: "exclusive", retryLimit: 0, expireInSeconds: 60 });
  // Sent before anybody works: the first look at the queue finds it.
  await boss.send(RETENTION, null);
  await boss.work(RETENTION, { pollingIntervalSeconds: 10 }, () =>
    logged(log, RETENTION, async () => {
      const result = await runRetention(pool, retentionDays);
      log[result.outcome === "done" ? "info" : "warn"](result, result.message);
    }),
  );
  await boss.work(RATE_LIMITS, { pollingIntervalSeconds: 30 }, () =>
    logged(log, RATE_LIMITS, () => limiter.sweep()),
  );
  await boss.schedule(RETENTION, "17 3 * * *");
  await boss.schedule(RATE_LIMITS, "*/5 * * * *");

  return {
    stop: async () => {
      await boss.stop({ graceful: true, timeout: 5_000 });
      await pool.end();
    },
  };
}

/** The queue only keeps a job's failure in its own tables, where nobody looks. */
async function logged(log: Logger, job: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, job }, "a background job failed");
    throw error;
  }
}
