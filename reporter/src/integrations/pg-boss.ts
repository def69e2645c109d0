import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt } from "../core/safe.ts";

/** The used part of a pg-boss job; annotate your callbacks with `Job`. */
export interface PgBossJob {
  name: string;
  retryCount?: number;
}

export interface PgBossOptions<Job> extends IntegrationOptions<Job> {
  /** Returns the job's class or name, if a queue has several kinds of jobs. Default: the queue's name. */
  jobName?: ((job: Job) => string | undefined) | undefined;
}

/**
 * Wraps a handler for pg-boss's `work` to report and rethrow its errors. For a batch, the details are those of its
 * first job.
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
      const userId = (job && attempt(() => options.userId?.(job))) ?? undefined;
      const name = (job && attempt(() => options.jobName?.(job))) ?? job?.name;
      const number = job?.retryCount === undefined ? undefined : job.retryCount + 1;
      const context = { kind: "job", name, queue: job?.name, attempt: number } as const;
      reporterOf(options)?.captureOnce(error, { userId, context }, job);
      throw error;
    }
  };
}
