import { sql } from "kysely";
import { HttpError } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notifyReportDone } from "../../inform/notify/report-notifications.ts";
import { lockProject, noSuchProject } from "../../people/projects/lock-project.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { mailDone } from "../../reports/subscriptions/mail-subscribers.ts";
import { readWithDuplicates } from "../../reports/subscriptions/recipients.ts";

/** Reports per transaction. */
const BATCH = 100;

/**
 * Notices promoted reports that are done: the issue is in a lane for done work and, in projects with releases, one was recorded
 * since it was closed. Each report counts once for good. Webhooks are told; in projects with that setting, so are the creator and the
 * subscribers outside the team. Throws once the signal is aborted. Any number of processes may call this: the project's lock
 * ensures that only one of them takes each report, and that its issue is not reopened at the same time.
 */
export async function notifyDoneReports(db: Db, signal?: AbortSignal): Promise<void> {
  for (const projectId of await projectsWithDoneReports(db)) {
    let taken = BATCH;
    while (taken === BATCH) {
      signal?.throwIfAborted();
      taken = await db.transaction().execute((tx) => notifyBatch(tx, projectId));
    }
  }
}

/** The condition for the report `r` with its issue `i` in the lane `l`. */
const IS_DONE = sql`
  r.promoted_issue_id is not null and r.released_at is null and l.kind = 'done' and i.closed_at is not null and (
    exists (select from releases n where n.project_id = i.project_id and n.first_seen_at > i.closed_at)
    or not exists (select from releases n where n.project_id = i.project_id and n.first_seen_at is not null))`;

async function projectsWithDoneReports(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct r.project_id as id
    from reports r join issues i on i.id = r.promoted_issue_id join lanes l on l.id = i.lane_id
    join projects p on p.id = r.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id and w.reports_enabled
    where ${IS_DONE} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

type NoticedReport = {
  id: number;
  title: string;
  created_by: number | null;
  release: string | null;
  /** The report was done after the setting was turned on, so that it may be told. */
  is_told: boolean;
  /** Otherwise, it was done before its project was checked for the first time. */
  is_recent: boolean;
  project_id: number;
  workspace_id: number;
  key: string;
  done_subject: string | null;
  done_message: string | null;
};

/** Marks done reports, and tells of those that were done recently. */
async function notifyBatch(tx: Tx, projectId: number): Promise<number> {
  if (!(await isLocked(tx, projectId))) return 0;
  const { rows } = await sql<NoticedReport>`
    with done as materialized (
      select r.id, first.version, coalesce(first.first_seen_at, i.closed_at) as done_at
      from reports r join issues i on i.id = r.promoted_issue_id join lanes l on l.id = i.lane_id
      left join lateral (
        select n.version, n.first_seen_at from releases n
        where n.project_id = i.project_id and n.first_seen_at > i.closed_at
        order by n.first_seen_at, n.id limit 1
      ) first on true
      where r.project_id = ${projectId} and ${IS_DONE}
      order by r.id limit ${BATCH} for no key update of r
    )
    update reports r set released_at = clock_timestamp()
    from done, projects p
    where r.id = done.id and p.id = r.project_id
    returning r.id, r.title, r.created_by, done.version as release,
      p.ship_tells_reporters and done.done_at >= p.ship_tells_since as is_told,
      done.done_at > clock_timestamp() - interval '1 day' as is_recent,
      p.id as project_id, p.workspace_id, p.key, p.done_subject, p.done_message`.execute(tx);
  await tellOfDoneReports(tx, rows);
  return rows.length;
}

async function tellOfDoneReports(tx: Tx, reports: NoticedReport[]): Promise<void> {
  const recentIds = reports.filter((report) => report.is_recent).map(({ id }) => id);
  for (const id of await readWithDuplicates(tx, recentIds))
    noteChange(tx, { type: "report.done", kind: "report", id });
  const told = reports.filter((report) => report.is_told);
  for (const report of told)
    if (report.created_by !== null) await notifyReportDone(tx, { ...report, created_by: report.created_by });
  const [first] = told;
  if (first) await mailDone(tx, told, first);
}

/** Locks the project. False if it has been deleted. */
async function isLocked(tx: Tx, projectId: number): Promise<boolean> {
  return lockProject(tx, projectId).then(
    () => true,
    (error: Error) => {
      if (error instanceof HttpError && error.status === noSuchProject().status) return false;
      throw error;
    },
  );
}
