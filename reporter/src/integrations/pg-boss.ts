import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt } from "../core/safe.ts";

/** The parts of a pg-boss job in use here; annotate your own with `Job`. */
export interface PgBossJob {
  name: string;
  retryCount?: number;
}

export interface PgBossOptions<Job> extends IntegrationOptions<Job> {
  /** The job's class or name, where one queue carries several. Default the queue's name. */
  jobName?: ((job: Job) => string | undefined) | undefined;
}

/**
 * Wraps a handler for pg-boss's `work` so that what it throws is reported and thrown on. With batches, the first job
 * stands for all.
 */
export function pgBossErrors<Job extends PgBossJob, Rest extends unknown[], Result>(
  handler: (jobs: Job[], ...rest: Rest) => Promise<Result>,
  options: PgBossOptions<Job> = {},
): (jobs: Job[], ...rest: Rest) => Promise<Result> {
  return async (jobs, ...rest) => {
    try {
      return await handler(jobs, ...rest);
    } catch (error) {
      const job = jobs[0];
      reporterOf(options)?.captureOnce(error, {
        userId: (job && attempt(() => options.userId?.(job))) ?? undefined,
        context: {
          kind: "job",
          name: (job && attempt(() => options.jobName?.(job))) ?? job?.name,
          queue: job?.name,
          attempt: job?.retryCount === undefined ? undefined : job.retryCount + 1,
        },
      });
      throw error;
    }
  };
}
