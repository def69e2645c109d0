import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Job, PollingJob } from "./job.ts";

/** An answer serves all jobs that ask within this time. */
const SHARED_MS = 250;

export type HasWork = (job: PollingJob) => Promise<boolean>;

/**
 * Tells whether a job may have work. One statement asks for all jobs, because an idle server would otherwise spend most of its CPU time
 * on asking for each of them.
 */
export function findWork(db: Db, jobs: readonly Job[]): HasWork {
  const asked = jobs.flatMap((job) =>
    "condition" in job && job.condition !== undefined
      ? [sql<{ name: string }>`select ${sql.lit(job.name)} as name where ${sql.raw(job.condition)}`]
      : [],
  );
  const query = sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.compile(db);
  const ask = async () => new Set((await db.executeQuery(query)).rows.map(({ name }) => name));
  let answer: { askedAt: number; names: Promise<ReadonlySet<string>> } | undefined;
  return async ({ name, condition }) => {
    if (condition === undefined) return true;
    const now = performance.now();
    if (answer === undefined || now >= answer.askedAt + SHARED_MS) answer = { askedAt: now, names: ask() };
    return (await answer.names).has(name);
  };
}
