import { sql } from "kysely";
import { HttpError } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notifyReportDone, type DoneReport } from "../../inform/notify/report-notifications.ts";
import { lockProject, noSuchProject } from "../../people/projects/lock-project.ts";
import { releaseOfIssue } from "./release-of-issue.ts";

/** Reports per transaction. */
const BATCH = 100;

/**
 * Notifies the creators of reports whose issue is done and released, in projects with that setting; throws once the signal is
 * aborted. Any number of processes may call this: the project's lock ensures that only one of them takes each report, and
 * that its issue is not reopened at the same time.
 */
export async function notifyDoneReports(db: Db, signal?: AbortSignal): Promise<void> {
  for (const projectId of await projectsWithReleases(db)) {
    let taken = BATCH;
    while (taken === BATCH) {
      signal?.throwIfAborted();
      taken = await db.transaction().execute((tx) => notifyBatch(tx, projectId));
    }
  }
}

/** The projects that have reports to check, and a release since the setting was turned on. */
async function projectsWithReleases(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from projects p join workspaces w on w.id = p.workspace_id and w.reports_enabled
    where p.ship_tells_reporters and p.deleted_at is null
      and exists (
        select from releases n where n.project_id = p.id and n.first_seen_at >= p.ship_tells_since)
      and exists (
        select from reports r where r.project_id = p.id and r.promoted_issue_id is not null
          and r.created_by is not null and r.released_at is null)
    order by p.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Marks reports as released, and notifies about those that were released after the setting was turned on. */
async function notifyBatch(tx: Tx, projectId: number): Promise<number> {
  if (!(await isLocked(tx, projectId))) return 0;
  const { rows } = await sql<DoneReport & { is_recent: boolean }>`
    with released as materialized (
      select r.id, release.version, release.first_seen_at >= p.ship_tells_since as is_recent
      from projects p
      join reports r on r.project_id = p.id
      join issues i on i.id = r.promoted_issue_id and i.closed_at is not null
      join lanes l on l.id = i.lane_id and l.kind = 'done'
      cross join lateral (${releaseOfIssue}) release
      where p.id = ${projectId} and p.ship_tells_reporters
        and r.promoted_issue_id is not null and r.created_by is not null and r.released_at is null
      order by r.id limit ${BATCH} for no key update of r
    )
    update reports r set released_at = clock_timestamp()
    from released, projects p
    where r.id = released.id and p.id = r.project_id
    returning r.id, r.title, r.created_by, released.version, released.is_recent,
      p.id as project_id, p.workspace_id, p.key`.execute(tx);
  for (const report of rows) if (report.is_recent) await notifyReportDone(tx, report);
  return rows.length;
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
