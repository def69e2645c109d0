import { inScope, type IntegrationOptions, reporterOf } from "../core/integration.ts";
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
  function details(job: Job | undefined) {
    const userId = (job && attempt(() => options.userId?.(job))) ?? undefined;
    const name = (job && attempt(() => options.jobName?.(job))) ?? job?.name;
    const number = job?.retryCount === undefined ? undefined : job.retryCount + 1;
    return { userId, context: { kind: "job", name, queue: job?.name, attempt: number } as const };
  }

  return async (jobs, ...rest) => {
    const [job] = jobs;
    try {
      return await inScope(
        options,
        job ?? jobs,
        () => details(job),
        () => handler(jobs, ...rest),
      );
    } catch (error) {
      reporterOf(options)?.captureOnce(error, details(job), job ?? jobs);
      throw error;
    }
  };
}
