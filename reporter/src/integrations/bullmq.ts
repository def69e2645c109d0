import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
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
    const userId = attempt(() => options.userId?.(job)) ?? undefined;
    // `attemptsMade` already includes the failed attempt.
    const context = { kind: "job", name: job.name, queue: job.queueName, attempt: job.attemptsMade } as const;
    reporterOf(options)?.captureOnce(error, { userId, context }, job);
  });
}
