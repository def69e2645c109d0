import { sql } from "kysely";
import { FEATURE, MEDIUM } from "../../../shared/issues.ts";
import { recordHistory } from "../../record/issue-history.ts";
import { takeDraftFiles } from "../../attachments/draft-files.ts";
import type { Tx } from "../../db/connect.ts";
import { notifyNewIssue } from "../../inform/notify/issue-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { endOfLane, laneFor } from "./lane-order.ts";
import { announceParents } from "./parents.ts";
import { requireReferences, type ProjectRef } from "./references.ts";
import { setRelations } from "./relations.ts";

export type NewIssue = {
  title: string;
  description?: string | undefined;
  type?: number | undefined;
  priority?: number | undefined;
  lane_id?: number | undefined;
  assignee_id?: number | undefined;
  sprint_id?: number | undefined;
  epic_id?: number | undefined;
  estimated_minutes?: number | undefined;
  blocked_by_ids?: number[] | undefined;
  blocks_ids?: number[] | undefined;
  relates_to_ids?: number[] | undefined;
  label_ids?: number[] | undefined;
  due_on?: string | undefined;
  parent_id?: number | undefined;
  duplicate_of_id?: number | undefined;
};

/**
 * Creates an issue with the project's next number at the end of its lane, by default the first lane, and returns its id. Without an
 * actor, an alert rule creates it.
 * 422 on every field with an id that is not in the project: `lane_id`, `label_ids.1`.
 *
 * Locks the project until the transaction ends, so that numbers have no gaps, ranks are unique and issues cannot block
 * each other in a cycle. A transaction that also locks other rows of the project, such as reports, must call
 * `lockProject` before it locks them, to avoid deadlocks.
 */
export async function createIssue(
  tx: Tx,
  project: ProjectRef,
  actorId: number | null,
  issue: NewIssue,
): Promise<number> {
  await lockProject(tx, project.id);
  await requireReferences(tx, project, issue);
  const lane = await laneFor(tx, project.id, issue.lane_id);
  const rank = await endOfLane(tx, lane.id);
  const { last_issue_number: number } = await tx
    .updateTable("projects")
    .set({ last_issue_number: sql`last_issue_number + 1` })
    .where("id", "=", project.id)
    .returning("last_issue_number")
    .executeTakeFirstOrThrow();
  const { id } = await tx
    .insertInto("issues")
    .values({
      project_id: project.id,
      number,
      title: issue.title,
      description: issue.description ?? null,
      type: issue.type ?? FEATURE,
      priority: issue.priority ?? MEDIUM,
      lane_id: lane.id,
      rank,
      assignee_id: issue.assignee_id ?? null,
      created_by: actorId,
      sprint_id: issue.sprint_id ?? null,
      epic_id: issue.epic_id ?? null,
      estimated_minutes: issue.estimated_minutes ?? null,
      due_on: issue.due_on ?? null,
      parent_id: issue.parent_id ?? null,
      duplicate_of_id: issue.duplicate_of_id ?? null,
      closed_at: lane.kind === "done" ? sql<string>`clock_timestamp()` : null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (issue.description && actorId !== null)
    await takeDraftFiles(tx, project, { issueId: id, authorId: actorId, description: issue.description });
  await recordHistory(tx, actorId, [{ issue_id: id, kind: "created" }]);
  if (issue.label_ids?.length)
    await sql`insert into issue_labels (project_id, issue_id, label_id)
      select ${project.id}, ${id}, label_id from unnest(${issue.label_ids}::bigint[]) label_id`.execute(tx);
  const { blocked_by_ids = [], blocks_ids = [], relates_to_ids = [] } = issue;
  if (actorId !== null && blocked_by_ids.length + blocks_ids.length + relates_to_ids.length > 0)
    await setRelations(tx, project.id, {
      issueId: id,
      actorId,
      wanted: { blocked_by_ids, blocks_ids, relates_to_ids },
    });
  await announceParents(tx, project.id, [issue.parent_id]);
  await notifyNewIssue(tx, { project, issueId: id, actorId, actorName: "An alert rule" }, issue.assignee_id);
  return id;
}
