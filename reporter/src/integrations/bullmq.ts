import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt } from "../core/safe.ts";

/** The parts of a BullMQ job in use here; annotate your own with `Job`. */
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
  /** Leave out failures that will be tried again. Default false. */
  lastAttemptOnly?: boolean | undefined;
}

/** Reports the failures of a BullMQ worker's jobs. */
export function bullmqErrors<Job extends BullmqJob = BullmqJob>(
  worker: BullmqWorker<Job>,
  options: BullmqOptions<Job> = {},
): void {
  worker.on("failed", (job, error) => {
    if (!job) return reporterOf(options)?.captureOnce(error, { context: { kind: "job" } });
    if (options.lastAttemptOnly && job.attemptsMade < (job.opts.attempts ?? 1)) return;
    reporterOf(options)?.captureOnce(error, {
      userId: attempt(() => options.userId?.(job)) ?? undefined,
      // The failed attempt is counted by the time of this event.
      context: { kind: "job", name: job.name, queue: job.queueName, attempt: job.attemptsMade },
    });
  });
}
