import { inScope, type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt } from "../core/safe.ts";

/** The used part of a BullMQ job; annotate your callbacks with `Job`. */
export interface BullmqJob {
  name: string;
  queueName: string;
  attemptsMade: number;
  opts: { attempts?: number | undefined };
}

interface BullmqWorker<Job> {
  on(event: "failed", listener: (job: Job | undefined, error: Error, previous: string) => void): unknown;
}

export interface BullmqOptions<Job> extends IntegrationOptions<Job> {
  /** Ignore failures that will be retried. Default false. */
  lastAttemptOnly?: boolean | undefined;
}

/** Reports failed jobs of a BullMQ worker. */
export function bullmqErrors<Job extends BullmqJob = BullmqJob>(
  worker: BullmqWorker<Job>,
  options: BullmqOptions<Job> = {},
): void {
  worker.on("failed", (job, error) => {
    if (!job) return reporterOf(options)?.captureOnce(error, { context: { kind: "job" } });
    if (options.lastAttemptOnly && job.attemptsMade < (job.opts.attempts ?? 1)) return;
    // `attemptsMade` already includes the failed attempt.
    reporterOf(options)?.captureOnce(error, details(job, job.attemptsMade, options), job);
  });
}

/**
 * Wraps the processor of a BullMQ worker so that errors which it captures itself have the job's context, user, tags and
 * breadcrumbs: `new Worker("mail", bullmqJob(processor))`.
 */
export function bullmqJob<Job extends BullmqJob, Rest extends unknown[], Result>(
  processor: (job: Job, ...rest: Rest) => Result,
  options: BullmqOptions<Job> = {},
): (job: Job, ...rest: Rest) => Result {
  return (job, ...rest) =>
    inScope(
      options,
      job,
      () => details(job, job.attemptsMade + 1, options),
      () => processor(job, ...rest),
    );
}

function details<Job extends BullmqJob>(job: Job, attemptNumber: number, options: BullmqOptions<Job>) {
  const userId = attempt(() => options.userId?.(job)) ?? undefined;
  const context = { kind: "job", name: job.name, queue: job.queueName, attempt: attemptNumber } as const;
  return { userId, context };
}
