import { sql } from "kysely";
import type { z } from "zod";
import type { Issue, issueChanges } from "../../../shared/issues.ts";
import { noteMoves, type HistoryEntry } from "../../record/issue-events.ts";
import { recordHistory } from "../../record/issue-history.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { closedIn } from "../lanes/issues-of-lane.ts";
import { followIssue } from "../lifecycle/follow-issues.ts";
import { notifyIssueChanges } from "../../inform/notify/issue-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { endOfLane, laneFor } from "./lane-order.ts";
import { announceParents, requireNoLoop } from "./parents.ts";
import { requireReferences, type ProjectRef } from "./references.ts";
import { setRelations } from "./relations.ts";
import { noSuchIssue, readIssue } from "./read-issue.ts";

type Changes = z.output<typeof issueChanges>;

/**
 * Changes the given fields and replaces the given lists. Every change is recorded in the issue's history. An issue that
 * changes lanes goes to the end of the new lane. 404 if the project has no such issue; 422 on every id that is not in the
 * project, and on relations, a parent or an original that would create a cycle.
 */
export async function updateIssue(
  db: Db,
  project: ProjectRef,
  { issueId, actorId, body }: { issueId: number; actorId: number; body: Changes },
): Promise<Issue> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const before = await lockIssue(tx, project.id, issueId);
    const columns = changedColumns(before, body);
    const { label_ids, blocked_by_ids, blocks_ids, relates_to_ids } = body;
    const lists = { label_ids, blocked_by_ids, blocks_ids, relates_to_ids };
    await requireReferences(tx, project, { ...columns, ...lists }, issueId);
    await requireNoLoop(tx, "parent_id", issueId, columns.parent_id);
    await requireNoLoop(tx, "duplicate_of_id", issueId, columns.duplicate_of_id);
    const entries: HistoryEntry[] = Object.entries(columns).map(([kind, to]) =>
      // Storing both texts for every edit would make the history most of the database.
      kind === "description"
        ? { issue_id: issueId, kind, texts: { from: before.description, to } }
        : { issue_id: issueId, kind, from: before[kind as keyof typeof before], to },
    );
    if (label_ids !== undefined) entries.push(...(await setLabels(tx, project.id, issueId, label_ids ?? [])));
    if (entries.length > 0) {
      const lane = columns.lane_id === undefined ? undefined : await laneFor(tx, project.id, columns.lane_id);
      const position = lane && { rank: await endOfLane(tx, lane.id), closed_at: closedIn(lane.kind) };
      await tx
        .updateTable("issues")
        .set({ ...columns, ...position, updated_at: sql`clock_timestamp()` })
        .where("id", "=", issueId)
        .execute();
      await recordHistory(tx, actorId, entries);
      if (lane) {
        const closing = { wasClosed: before.closed_at !== null, isClosed: lane.kind === "done" };
        noteMoves(tx, [issueId], closing);
        await followIssue(tx, project, { issueId, actorId, ...closing });
      }
      await notifyIssueChanges(tx, { project, issueId, actorId }, before, columns);
      if (columns.parent_id !== undefined || columns.lane_id !== undefined)
        await announceParents(tx, project.id, [before.parent_id, columns.parent_id]);
    }
    await setRelations(tx, project.id, {
      issueId,
      actorId,
      wanted: {
        ...(blocked_by_ids === undefined ? {} : { blocked_by_ids: blocked_by_ids ?? [] }),
        ...(blocks_ids === undefined ? {} : { blocks_ids: blocks_ids ?? [] }),
        ...(relates_to_ids === undefined ? {} : { relates_to_ids: relates_to_ids ?? [] }),
      },
    });
    return readIssue(tx, project.id, issueId, actorId);
  });
}

const COLUMNS = [
  "title",
  "description",
  "type",
  "priority",
  "lane_id",
  "assignee_id",
  "sprint_id",
  "epic_id",
  "estimated_minutes",
  "due_on",
  "parent_id",
  "duplicate_of_id",
] as const;

async function lockIssue(tx: Tx, projectId: number, issueId: number) {
  const row = await tx
    .selectFrom("issues")
    .select([...COLUMNS, "closed_at"])
    .where("project_id", "=", projectId)
    .where("id", "=", issueId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchIssue();
  return row;
}

type Columns = Pick<Changes, (typeof COLUMNS)[number]>;

/** The given columns whose value changes. */
function changedColumns(before: Record<(typeof COLUMNS)[number], unknown>, body: Changes): Partial<Columns> {
  const changed = COLUMNS.filter((column) => body[column] !== undefined && body[column] !== before[column]);
  return Object.fromEntries(changed.map((column) => [column, body[column]]));
}

async function setLabels(
  tx: Tx,
  projectId: number,
  issueId: number,
  wanted: number[],
): Promise<HistoryEntry[]> {
  const { rows } = await sql<{ label_id: number }>`
    select label_id from issue_labels where issue_id = ${issueId} order by 1`.execute(tx);
  const from = rows.map((row) => row.label_id);
  const to = [...wanted].sort((a, b) => a - b);
  if (String(from) === String(to)) return [];
  await sql`delete from issue_labels
    where issue_id = ${issueId} and label_id <> all(${to}::bigint[])`.execute(tx);
  await sql`insert into issue_labels (project_id, issue_id, label_id)
    select ${projectId}, ${issueId}, label_id from unnest(${to}::bigint[]) label_id
    on conflict do nothing`.execute(tx);
  return [{ issue_id: issueId, kind: "label_ids", from, to }];
}
