import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eventually } from "../../../test/support/eventually.ts";
import { listeningLog } from "../../../test/support/listening-log.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { Tx } from "../db/connect.ts";
import { findWork } from "./find-work.ts";
import type { PollingJob } from "./job.ts";
import { listJobs } from "./jobs.ts";
import { runJobs } from "./run-jobs.ts";

const t = await useTestApp();

const pollingJob = (job: Partial<PollingJob>): PollingJob => ({
  name: "polling",
  pauseMs: 1_000,
  work: async () => {},
  ...job,
});

test("a job runs only while its condition holds", async () => {
  await sql`create table errands (id int)`.execute(t.db);
  let runs = 0;
  const idle = pollingJob({ name: "idle", pauseMs: 1, condition: "false", work: async () => void runs++ });
  const busy = pollingJob({
    name: "busy",
    pauseMs: 1,
    condition: "exists (select from errands)",
    work: () => sql`delete from errands`.execute(t.db),
  });
  const { log } = listeningLog();
  const { stop } = runJobs([idle, busy], { pool: t.database.pool, db: t.db, log });
  const errands = async () => (await sql`select from errands`.execute(t.db)).rows.length;
  for (let n = 0; n < 3; n++) {
    await sql`insert into errands values (${n})`.execute(t.db);
    await eventually(errands, 0);
  }
  await stop();
  assert.equal(runs, 0);
});

test("a job without work counts as one that succeeds", async () => {
  const { log } = listeningLog();
  const job = pollingJob({ name: "without-work", condition: "false" });
  const { stop } = runJobs([job], { pool: t.database.pool, db: t.db, log });
  const hasSucceeded = async () => {
    const { rows } = await sql<{ at: string | null }>`
      select succeeded_at as at from background_jobs where name = ${job.name}`.execute(t.db);
    return typeof rows[0]?.at;
  };
  await eventually(hasSucceeded, "string");
  await stop();
});

test("jobs that look at the same time ask with one statement", async () => {
  await sql`create sequence asked`.execute(t.db);
  const jobs = ["first", "second", "third"].map((name) =>
    pollingJob({ name, condition: "nextval('asked') > 0" }),
  );
  const hasWork = findWork(t.db, jobs);
  assert.deepEqual(await Promise.all(jobs.map(hasWork)), [true, true, true]);
  const { rows } = await sql`select last_value from asked`.execute(t.db);
  assert.deepEqual(rows, [{ last_value: jobs.length }]);
});

/** The least that makes each job of the product look for its work. */
const WORK: Record<string, string> = {
  "alert-actions": "alert_actions (group_id, action, rule_id) values (1, '{}', 1)",
  deletions:
    "deletions (target_id, kind, workspace_id, name, project_key) values (1, 'project', 1, 'Website', 'WEB')",
  "error-digests": "error_digests (project_id, user_id, due_at) values (1, 1, clock_timestamp())",
  "error-notices": "error_group_notices (type, details, group_id) values (9, '{}', 1)",
  "git-deliveries": "git_deliveries (key, event, connection_id) values ('\\x00', 'push', 1)",
  imports: "imports (kind, filename, project_id, size) values ('csv', 'issues.csv', 1, 1)",
  mails:
    "mails (address, lines, secret_link, button_label, subject) values ('ada@example.com', '{}', false, 'Open', 'Hello')",
  "monitor-events":
    "monitor_check_ins (environment_id, status, monitor_id, effect) values (1, 'ok', 1, 'resolve')",
  "new-releases": "new_releases (release_id) values (1)",
  "password-resets": "password_requests (email) values ('ada@example.com')",
  pushes: "push_messages (subscription_id, title, path) values (1, 'Hello', '/')",
  "regressed-issues": "issue_regressions (regressed_at, group_id) values (clock_timestamp(), 1)",
  "report-alerts": "new_reports (report_id, project_id) values (1, 1)",
  snoozes: `error_groups (last_seen_span, environment, exception_class, latest_message, project_id, key, occurrence_count,
    daily_counts, first_seen_at, last_seen_at, updated_at, status, snooze_ends_at)
    values (now(), 'production', 'E', '', 1, '\\x00', 1, '{}', now(), now(), now(), 2, now())`,
  webhooks: `webhook_deliveries (event_id, event, object_kind, webhook_id, body, object_id, next_attempt_at)
    values ('1', 'issue.created', 'issue', 1, '{}', 1, now())`,
};

const polled = listJobs({ db: t.db } as Parameters<typeof listJobs>[0]).filter(
  (job): job is PollingJob => "condition" in job,
);

test("no job has work in an empty database", async () => {
  const hasWork = findWork(t.db, polled);
  assert.deepEqual(
    await Promise.all(polled.map(hasWork)),
    polled.map(() => false),
  );
});

for (const job of polled)
  test(`the job ${job.name} finds its work`, async () => {
    const insert = WORK[job.name];
    assert.ok(insert, "the table above lacks it");
    const isFound = await inLooseTransaction(async (tx) => {
      await sql`insert into ${sql.raw(insert)}`.execute(tx);
      const { rows } = await sql<{ found: boolean }>`select ${sql.raw(job.condition ?? "")} as found`.execute(
        tx,
      );
      return rows[0]?.found;
    });
    assert.equal(isFound, true);
  });

/** Without foreign keys and triggers, and rolled back. */
async function inLooseTransaction<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result> {
  const tx = await t.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(tx);
    return await read(tx);
  } finally {
    await tx.rollback().execute();
  }
}
