import type { FastifyBaseLogger } from "fastify";
import type { CachedLookups } from "../access/cached-lookup.ts";
import type { Database, Db } from "../db/connect.ts";
import { pauseInboundRules } from "../errors/rules/inbound/pause-rules.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
import { ErrorGroupChanges } from "../record/error-group-changes.ts";
import type { UsageCounter } from "../record/usage-counter.ts";
import { MappedGrouping } from "../source-maps/grouping/mapped-grouping.ts";
import type { SlowRule } from "./drop-events/dropping-rule.ts";
import { EventReader } from "./event-reader.ts";
import type { Intake } from "./pipeline.ts";
import { openProjectRules } from "./project-rules/project-rules.ts";
import { AlertCounter } from "./store/alert-counter.ts";
import { Ingestion } from "./store/ingestion.ts";
import { NewGroups } from "./store/new-groups.ts";

type Options = {
  db: Db;
  database: Pick<Database, "ingest">;
  retentionDays: number;
  /** New groups of a sender are limited by the limit of its events per minute. */
  limiter: RateLimiter;
  ingestLimit: number;
  lookups: CachedLookups;
  usage: UsageCounter;
  onBatch?: (events: number, seconds: number) => void;
  log: Pick<FastifyBaseLogger, "warn">;
};

/** What storing events needs. `close` writes what is still collected in memory. */
export function openIntake({ db, database, lookups, usage, log, ...options }: Options) {
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const changes = new ErrorGroupChanges(db, { onError: warn("live updates of error groups failed") });
  const ingestion = new Ingestion({
    pool: database.ingest,
    retentionDays: options.retentionDays,
    onStored: (groups) => changes.add(groups),
    ...(options.onBatch && { onBatch: options.onBatch }),
    usage,
    newGroups: new NewGroups(options.limiter, options.ingestLimit),
  });
  const alertCounter = new AlertCounter(db, warn("events could not be counted for alert rules"));
  const pause = (slow: SlowRule[]) =>
    void pauseInboundRules(db, slow).then(
      () => lookups.forget(),
      warn("slow inbound rules could not be paused"),
    );
  const reader = new EventReader(pause);
  const close = async () => {
    await reader.close();
    await changes.close();
    await usage.close();
    await alertCounter.close();
  };
  const projectRules = openProjectRules(db, lookups);
  const mappedGrouping = new MappedGrouping(db);
  return {
    db,
    projectRules,
    ingestion,
    reader,
    mappedGrouping,
    usage,
    alertCounter,
    close,
  } satisfies Intake & {
    close: () => Promise<void>;
  };
}
