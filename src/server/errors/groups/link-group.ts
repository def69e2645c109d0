import { sql } from "kysely";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { HttpError, invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announce } from "../../record/live-changes.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { findIssueInBody } from "../../work/issues/read-issue.ts";
import { removeUntouchedIssue } from "../../work/issues/remove-untouched-issue.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import {
  keepForUndo,
  linkColumns,
  type ChangeBy,
  type ChangedGroup,
} from "../../work/lifecycle/keep-for-undo.ts";
import { readErrorGroup } from "./read-group.ts";
import type { ErrorDb } from "./error-db.ts";

type LinkRequest = { groupId: number; issue: string; by: ChangeBy };

/**
 * Links the group to an issue of the project, named by id or key. Linking it to the same issue again changes nothing. 404 if
 * the project has no such group, 422 on `issue` if it has no such issue, 409 if the group is linked to another one.
 */
export async function linkErrorGroup(
  errorDb: ErrorDb,
  project: ProjectRef,
  { groupId, issue, by }: LinkRequest,
): Promise<ErrorGroup> {
  return errorDb.db.transaction().execute(async (tx) => {
    // Also prevents the deletion of the issue.
    await lockProject(tx, project.id);
    const linkedId = await lockLink(tx, project.id, groupId);
    const issueId = await findIssueInBody(tx, project, issue);
    if (linkedId !== null && linkedId !== issueId)
      throw new HttpError(409, await linkedMessage(tx, project, linkedId));
    if (linkedId === null) await changeLink(tx, project.id, { groupId, by, from: null, to: issueId });
    return readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
  });
}

/** Linking requires Issues: Read, so the message may name the other issue. */
async function linkedMessage(tx: Tx, project: ProjectRef, issueId: number): Promise<string> {
  const { number, title } = await tx
    .selectFrom("issues")
    .select(["number", "title"])
    .where("id", "=", issueId)
    .executeTakeFirstOrThrow();
  return `The error is already linked to ${project.key}-${number} “${title}”.`;
}

type UnlinkRequest = {
  groupId: number;
  delete_issue?: boolean | undefined;
  by: ChangeBy;
};

/**
 * Ends the link between the group and its issue, if there is one, and deletes the issue if that is asked for. 404 if the project
 * has no such group, 422 on `delete_issue` if its promotion did not create the issue or the issue has changed since.
 */
export async function unlinkErrorGroup(
  errorDb: ErrorDb,
  project: ProjectRef,
  { groupId, delete_issue = false, by }: UnlinkRequest,
): Promise<ErrorGroup> {
  return errorDb.db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    if (delete_issue) {
      const { issueId, since } = await requirePromotion(tx, project.id, groupId);
      // Ends the link, too.
      await removeUntouchedIssue(tx, project.id, { issueId, actorId: by.userId, promotion: { since } });
      return readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
    }
    const linkedId = await lockLink(tx, project.id, groupId);
    if (linkedId !== null) await changeLink(tx, project.id, { groupId, by, from: linkedId, to: null });
    return readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
  });
}

/** The issue that was created from the group, and when that was complete. Links change only under the project's lock. */
async function requirePromotion(
  tx: Tx,
  projectId: number,
  groupId: number,
): Promise<{ issueId: number; since: string }> {
  const { rows } = await sql<{ issue_id: number | null; is_own: boolean; since: string | null }>`
    select i.id as issue_id, i.created_at = g.linked_at as is_own,
      (select max(a.created_at) from error_group_activity a where a.group_id = g.id and a.kind = 'linked') as since
    from error_groups g left join issues i on i.id = g.linked_issue_id
    where g.project_id = ${projectId} and g.id = ${groupId}`.execute(tx);
  const [group] = rows;
  if (!group) throw await missingGroup(tx, projectId, groupId);
  const { issue_id: issueId, is_own, since } = group;
  if (issueId === null || !is_own || since === null)
    throw invalid({ delete_issue: ["requires an issue that the promotion created"] });
  return { issueId, since };
}

async function lockLink(tx: Tx, projectId: number, groupId: number): Promise<number | null> {
  const row = await tx
    .selectFrom("error_groups")
    .select("linked_issue_id")
    .where("project_id", "=", projectId)
    .where("id", "=", groupId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw await missingGroup(tx, projectId, groupId);
  return row.linked_issue_id;
}

type Change = { from: number; to: null } | { from: null; to: number };

async function changeLink(
  tx: Tx,
  projectId: number,
  { groupId, by, from, to }: Change & { groupId: number; by: ChangeBy },
) {
  const { rows } = await sql<ChangedGroup>`
    with before as (select g.id, ${linkColumns} as columns from error_groups g where g.id = ${groupId})
    update error_groups g
    set linked_issue_id = ${to}, linked_at = ${to === null ? null : sql`clock_timestamp()`},
      resolved_by_issue_id = null, updated_at = clock_timestamp()
    from before b where g.id = b.id
    returning g.id, b.columns as before`.execute(tx);
  // The issue's page lists its groups.
  await sql`update issues set updated_at = clock_timestamp() where id = ${from ?? to}`.execute(tx);
  const entries = await recordGroupHistory(tx, by.userId, [
    from === null ? { group_id: groupId, kind: "linked", to } : { group_id: groupId, kind: "unlinked", from },
  ]);
  await keepForUndo(tx, by, rows, { entries, watches: new Set(), watcherId: null });
  await announce(tx, [{ kind: "error_group", project_id: projectId, id: groupId }]);
}
