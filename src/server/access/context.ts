import type { FastifyInstance } from "fastify";
import type { ZodTypes } from "../answers/validation.ts";
import type { Config } from "../config/config.ts";
import type { Database, Outside } from "../db/connect.ts";
import type { FileExaminer } from "../files/file-examiner.ts";
import type { Storage } from "../files/storage/storage.ts";
import type { Uploads } from "../files/uploads.ts";
import type { Metrics } from "../http/metrics.ts";
import type { FeedbackLimits } from "../limits/feedback-limits.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
import type { KeyLimits } from "../limits/key-limits.ts";
import type { Authority } from "./authority.ts";
import type { CachedLookups } from "./cached-lookup.ts";
import type { RequestSlots } from "./request-limits.ts";
import type { UsageCounter } from "../record/usage-counter.ts";

/** What every area's routes receive. */
export type Context = {
  /** Handlers use `request.db`. This is for what must not be part of a request's transaction, and for what has no request. */
  outside: Outside;
  database: Omit<Database, "db">;
  config: Config;
  lookups: CachedLookups;
  authority: Authority;
  limiter: RateLimiter;
  keyLimits: KeyLimits;
  feedbackLimits: FeedbackLimits;
  slots: RequestSlots;
  storage: Storage;
  uploads: Uploads;
  examiner: FileExaminer;
  metrics: Metrics;
  usage: UsageCounter;
  setupToken: string;
  /** The public address of the server, which is known only once it listens. */
  publicUrl: () => string;
};

/** Fastify with types inferred from zod schemas. */
export type Api = ReturnType<typeof withZod>;

export const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypes>();
