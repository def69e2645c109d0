import { sql } from "kysely";
import type { BulkStatus, ErrorGroup } from "../../../shared/error-groups.ts";
import { usersWhere, type ProjectRef } from "../../access/access-queries.ts";
import type { Caller } from "../../access/caller.ts";
import { invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { notifyErrorsAssigned } from "../../inform/notify/error-assignment.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";
import { changeInBulk } from "./change-in-bulk.ts";
import { assigneeColumns, keepForUndo, type ChangeBy } from "../../work/lifecycle/keep-for-undo.ts";
import { readErrorGroup } from "./read-group.ts";
import type { ErrorDb } from "./error-db.ts";

type Assignment = {
  groupId: number;
  assigneeId: number | null | undefined;
  by: ChangeBy;
};

/**
 * Assigns one group to a user who can access the project, or to nobody. Undefined leaves the assignee. 404 if the project
 * has no such group, 422 on `assignee_id` if the user cannot access the project.
 */
export async function assignErrorGroup(
  errorDb: ErrorDb,
  project: ProjectRef,
  { groupId, assigneeId, by }: Assignment,
): Promise<ErrorGroup> {
  return errorDb.db.transaction().execute(async (tx) => {
    const group = await readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
    if (assigneeId === undefined) return group;
    if (assigneeId !== null && !(await canAccess(tx, project, assigneeId)))
      throw invalid({ assignee_id: ["cannot access the project"] });
    await assign(tx, [groupId], assigneeId, by);
    return readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
  });
}

type BulkAssignment = {
  ids: number[];
  assigneeId: number | null;
  changeId: string | undefined;
};

/**
 * Assigns many groups; see `changeInBulk` for the ids that are refused. Groups of projects that the assignee cannot access are
 * refused, too. 422 on `assignee_id` if there is no such user.
 */
export function assignErrorGroups(
  errorDb: ErrorDb,
  caller: Caller,
  { ids, assigneeId, changeId }: BulkAssignment,
): Promise<BulkStatus> {
  const isAccessible =
    assigneeId === null
      ? sql``
      : sql`and g.project_id in (select project_id from project_grants where user_id = ${assigneeId})`;
  const change = async (tx: Tx, permitted: number[]) => {
    if (assigneeId !== null) await requireUser(tx, assigneeId);
    await assign(tx, permitted, assigneeId, { userId: caller.user_id, changeId });
  };
  return changeInBulk(errorDb, caller, { ids, change, condition: isAccessible });
}

async function canAccess(tx: Tx, project: ProjectRef, userId: number): Promise<boolean> {
  const { rows } = await sql`select from (${usersWhere(project)}) one where user_id = ${userId}`.execute(tx);
  return rows.length > 0;
}

async function requireUser(tx: Tx, userId: number): Promise<void> {
  const user = await tx.selectFrom("users").select("id").where("id", "=", userId).executeTakeFirst();
  if (!user) throw invalid({ assignee_id: ["is not a user"] });
}

type Assigned = {
  id: number;
  project_id: number;
  workspace_id: number;
  assignee_before: number | null;
  before: unknown;
};

/** Null is an alert rule. */
type AssignedBy = ChangeBy | { userId: null };

/** Assigns a group for an alert rule, unless somebody is assigned or the user cannot access the project. */
export async function assignUnassigned(
  tx: Tx,
  project: ProjectRef,
  groupId: number,
  userId: number,
): Promise<void> {
  const { rows } = await sql`
    select from error_groups where id = ${groupId} and assignee_id is null for no key update`.execute(tx);
  if (rows.length > 0 && (await canAccess(tx, project, userId)))
    await assign(tx, [groupId], userId, { userId: null });
}

/** Does not change groups that already have the assignee. Locks groups in the same order as ingestion. */
async function assign(tx: Tx, ids: number[], assigneeId: number | null, by: AssignedBy): Promise<void> {
  const { rows } = await sql<Assigned>`
    with before as (
      select g.id, g.assignee_id, ${assigneeColumns} as columns from error_groups g
      where g.id = any(${ids}::bigint[]) order by g.key for no key update
    )
    update error_groups g set assignee_id = ${assigneeId}, resolved_by_issue_id = null, updated_at = clock_timestamp()
    from before b, projects p
    where g.id = b.id and p.id = g.project_id and b.assignee_id is distinct from ${assigneeId}::bigint
    returning g.id, g.project_id, p.workspace_id, b.assignee_id as assignee_before, b.columns as before`.execute(
    tx,
  );
  const entries = await recordGroupHistory(
    tx,
    by.userId,
    rows.map(({ id, assignee_before }) => ({
      group_id: id,
      kind: "assigned",
      from: assignee_before,
      to: assigneeId,
    })),
  );
  await announceErrorGroups(tx, rows);
  const watches =
    assigneeId === null
      ? new Set<number>()
      : await autoWatchGroups(tx, rows, assigneeId, "auto_watch_on_assigned");
  if (by.userId !== null) await keepForUndo(tx, by, rows, { entries, watches, watcherId: assigneeId });
  if (assigneeId === null) return;
  await notifyErrorsAssigned(
    tx,
    rows.map(({ id }) => id),
    assigneeId,
    by.userId,
  );
}
