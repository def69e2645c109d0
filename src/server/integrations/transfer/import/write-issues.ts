import { sql } from "kysely";
import { FEATURE, MEDIUM } from "../../../../shared/issues.ts";
import type { Tx } from "../../../db/connect.ts";
import { lastRank } from "../../../work/ranks/ranked-list.ts";
import { rankBetween } from "../../../work/ranks/rank.ts";
import { findOrCreate, laneOf, readLanes } from "./find-names.ts";
import type { ImportedIssue } from "./item.ts";
import type { PlannedItem } from "./plan-batch.ts";
import type { ImportedRow } from "./remember-objects.ts";
import type { ImportTarget } from "./import-target.ts";

/** Creates issues at the ends of their lanes, with the project's next numbers. The caller holds the project's lock. */
export async function writeIssues(
  tx: Tx,
  { project, people }: ImportTarget,
  planned: PlannedItem<ImportedIssue>[],
): Promise<ImportedRow[]> {
  if (planned.length === 0) return [];
  const issues = planned.map(({ item }) => item);
  const labels = await findOrCreate(
    tx,
    project.id,
    "label",
    issues.flatMap((issue) => issue.labels),
  );
  const sprints = await findOrCreate(
    tx,
    project.id,
    "sprint",
    issues.flatMap(({ sprint }) => sprint ?? []),
  );
  const epics = await findOrCreate(
    tx,
    project.id,
    "epic",
    issues.flatMap(({ epic }) => epic ?? []),
  );
  const places = await findPlaces(tx, project.id, issues);
  const last = await takeNumbers(tx, project.id, issues.length);
  const rows = issues.map((issue, n) => {
    const created_at = issue.created_at ?? new Date().toISOString();
    const updated_at = issue.updated_at ?? created_at;
    const { lane, rank } = places[n] as Place;
    return {
      number: last - issues.length + 1 + n,
      title: issue.title,
      description: issue.description,
      type: issue.type ?? FEATURE,
      priority: issue.priority ?? MEDIUM,
      lane_id: lane.id,
      rank,
      assignee_id: people.userOf(issue.assignee),
      created_by: people.userOf(issue.author),
      sprint_id: issue.sprint === null ? null : sprints.get(issue.sprint),
      epic_id: issue.epic === null ? null : epics.get(issue.epic),
      estimated_minutes: issue.estimated_minutes,
      due_on: issue.due_on,
      created_at,
      updated_at,
      closed_at: lane.kind === "done" ? (issue.closed_at ?? updated_at) : null,
      label_ids: [...new Set(issue.labels.map((label) => labels.get(label)))],
    };
  });
  const ids = await insertIssues(tx, project.id, rows);
  return planned.map(({ item, sourceId }, n) => ({
    item,
    sourceId,
    target: { issue_id: ids.get(rows[n]?.number as number) as number, report_id: null, error_group_id: null },
  }));
}

type Place = { lane: { id: number; kind: string }; rank: string };

async function findPlaces(tx: Tx, projectId: number, issues: ImportedIssue[]): Promise<Place[]> {
  const lanes = await readLanes(tx, projectId);
  const ranks = new Map<number, string | null>();
  const places: Place[] = [];
  for (const issue of issues) {
    const lane = await laneOf(tx, projectId, lanes, issue.lane);
    const before = ranks.has(lane.id)
      ? (ranks.get(lane.id) as string)
      : await lastRank(tx, { table: "issues", column: "lane_id", id: lane.id });
    const rank = rankBetween(before, null);
    ranks.set(lane.id, rank);
    places.push({ lane, rank });
  }
  return places;
}

/** Returns the last of the numbers. */
async function takeNumbers(tx: Tx, projectId: number, count: number): Promise<number> {
  const { last_issue_number } = await tx
    .updateTable("projects")
    .set({ last_issue_number: sql`last_issue_number + ${count}` })
    .where("id", "=", projectId)
    .returning("last_issue_number")
    .executeTakeFirstOrThrow();
  return last_issue_number;
}

/** By number. The history says who created an issue and when, as far as it is known. */
async function insertIssues(tx: Tx, projectId: number, rows: object[]): Promise<Map<number, number>> {
  const { rows: inserted } = await sql<{ id: number; number: number }>`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}) as r (number integer, title text, description text,
        type smallint, priority smallint, lane_id bigint, rank text, assignee_id bigint, created_by bigint, sprint_id bigint,
        epic_id bigint, estimated_minutes integer, due_on date, created_at timestamptz, updated_at timestamptz,
        closed_at timestamptz, label_ids bigint[])
    ),
    added as (
      insert into issues (project_id, number, title, description, type, priority, lane_id, rank, assignee_id, created_by,
        sprint_id, epic_id, estimated_minutes, due_on, created_at, updated_at, closed_at)
      select ${projectId}, number, title, description, type, priority, lane_id, rank, assignee_id, created_by, sprint_id,
        epic_id, estimated_minutes, due_on, created_at, updated_at, closed_at
      from sent order by number
      returning id, number
    ),
    history as (
      insert into issue_activity (issue_id, actor_id, kind, created_at)
      select a.id, s.created_by, 'created', s.created_at from added a join sent s using (number) order by a.id
    ),
    labeled as (
      insert into issue_labels (project_id, issue_id, label_id)
      select ${projectId}, a.id, label_id from added a join sent s using (number), unnest(s.label_ids) label_id
    )
    select id, number from added`.execute(tx);
  return new Map(inserted.map(({ id, number }) => [number, id]));
}
