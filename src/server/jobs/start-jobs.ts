import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { openPool, SOON_MS, type Database } from "../db/connect.ts";
import { readLatestFrames } from "../errors/kept-events/read-mapped-event.ts";
import { CachedLookups } from "../access/cached-lookup.ts";
import { openIntake } from "../ingest/open-intake.ts";
import { UsageCounter } from "../record/usage-counter.ts";
import type { Storage } from "../files/storage/storage.ts";
import { WebhookDelivery } from "../integrations/webhooks/deliver/webhook-delivery.ts";
import { RateLimiter } from "../limits/rate-limit.ts";
import { MailDelivery } from "../mail/delivery.ts";
import { PushDelivery } from "../push/push-delivery.ts";
import { SourceMapReader } from "../source-maps/mapping/map-reader.ts";
import { listJobs } from "./jobs.ts";
import { runJobs, type RunningJobs } from "./run-jobs.ts";

type Options = {
  database: Database;
  config: Pick<Config, "mail" | "retentionDays" | "backup" | "webhookAllow" | "limits" | "eventStorage">;
  storage: Storage;
  publicUrl: () => string;
  log: Logger;
};

/** Runs all background jobs. Their schedule, and retention, use connections of their own. */
export function startJobs({ database, config, storage, publicUrl, log }: Options): RunningJobs {
  const pool = openPool({
    url: database.url,
    watch: database.watch,
    isShared: database.isShared,
    onError: (error) => log.warn({ err: error }, "a job's connection failed"),
    name: "signalbox jobs",
    max: 3,
    idleMs: SOON_MS,
    settings: { statement_timeout: "60s" },
  });
  const delivery = new MailDelivery(database.db, config.mail, publicUrl);
  const limiter = new RateLimiter(database.pool);
  const sourceMaps = new SourceMapReader(storage, log);
  let intake: ReturnType<typeof startIntake> | undefined;
  const startIntake = () =>
    openIntake({
      db: database.db,
      database,
      retentionDays: config.retentionDays,
      limiter,
      ingestLimit: config.limits.ingest,
      lookups: new CachedLookups(),
      usage: new UsageCounter(database.db, { storageQuota: config.eventStorage }),
      log,
    });
  const jobs = listJobs({
    db: database.db,
    pool,
    limiter,
    storage,
    delivery,
    pushes: new PushDelivery(database.db, publicUrl),
    webhooks: new WebhookDelivery(database.db, { publicUrl, allowed: config.webhookAllow }),
    retentionDays: config.retentionDays,
    readFrames: (errorDb, group) => readLatestFrames(errorDb, sourceMaps, group),
    intake: () => (intake ??= startIntake()),
    publicUrl,
    backup: config.backup,
    databaseUrl: database.direct.url,
    log,
  });
  // Without a schedule, the job's old row would look like a job that does not run.
  if (config.backup?.schedule === undefined)
    pool
      .query("delete from background_jobs where name = 'backup'")
      .catch((error: unknown) => log.warn({ err: error }, "the schedule of backups could not be removed"));
  const running = runJobs(jobs, { pool, db: database.db, log });
  return {
    stop: async () => {
      await running.stop();
      delivery.close();
      await intake?.close();
      await sourceMaps.close();
      await pool.end();
    },
  };
}
