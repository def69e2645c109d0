import { sql } from "kysely";
import type { ProjectRef } from "./references.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notifyReopened } from "../../inform/notify/lifecycle-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { noteMoves } from "../../record/issue-events.ts";
import { recordHistory } from "../../record/issue-history.ts";
import { endOfLane } from "./lane-order.ts";
import { announceParents } from "./parents.ts";

type Regression = { id: number; group_id: number; release: string | null; regressed_at: string };

/**
 * Reopens the closed issues of error groups that regressed, one transaction per regression, until none is left or the
 * signal is aborted. Several processes can call this: the project's lock lets one of them take each regression.
 */
export async function reopenRegressedIssues(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await db.transaction().execute(reopenNext)));
}

async function reopenNext(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ regression_id: number } & ProjectRef & { deleted_at: string | null }>`
    select r.id as regression_id, p.id, p.workspace_id, p.key, p.deleted_at
    from issue_regressions r join error_groups g on g.id = r.group_id join projects p on p.id = g.project_id
    order by r.id limit 1`.execute(tx);
  const [next] = rows;
  if (!next) return false;
  // Take the project's lock first, like a merge of error groups, which moves regressions.
  if (next.deleted_at === null) await lockProject(tx, next.id);
  const taken = await sql<Regression>`
    delete from issue_regressions where id = ${next.regression_id}
    returning id, group_id, release, regressed_at`.execute(tx);
  const [regression] = taken.rows;
  if (regression && next.deleted_at === null) await reopen(tx, next, regression);
  return true;
}

/** Does nothing if the issue was deleted, unlinked, reopened, or closed again after the regression. */
async function reopen(tx: Tx, project: ProjectRef, { group_id, release, regressed_at }: Regression) {
  const { rows } = await sql<{ id: number; lane_id: number; parent_id: number | null; to: number | null }>`
    select i.id, i.lane_id, i.parent_id, (
      select l.id from lanes l where l.project_id = i.project_id and l.kind in ('todo', 'backlog')
      order by l.kind = 'todo' desc, l.position limit 1) as to
    from error_groups g join issues i on i.id = g.linked_issue_id
    where g.id = ${group_id} and i.closed_at <= ${regressed_at}`.execute(tx);
  const [issue] = rows;
  if (!issue || issue.to === null) return;
  const rank = await endOfLane(tx, issue.to);
  await sql`
    update issues set lane_id = ${issue.to}, rank = ${rank}, closed_at = null, updated_at = clock_timestamp()
    where id = ${issue.id}`.execute(tx);
  await recordHistory(tx, null, [
    { issue_id: issue.id, kind: "regressed", from: { error_group_id: group_id }, to: { release } },
    { issue_id: issue.id, kind: "lane_id", from: issue.lane_id, to: issue.to },
  ]);
  noteMoves(tx, [issue.id], { wasClosed: true, isClosed: false });
  await announceParents(tx, project.id, [issue.parent_id]);
  await notifyReopened(tx, project, issue.id, release);
}
