import { sql, type RawBuilder } from "kysely";
import type { Issue } from "../../../shared/issues.ts";
import { countTasks } from "../../../shared/markdown/tasks.ts";
import type { Db } from "../../db/connect.ts";
import { HttpError, invalid, notFound } from "../../answers/errors.ts";
import { attachmentsField } from "../../attachments/list-attachments.ts";
import { gitLinksField } from "../../record/git-links.ts";
import { importedFromField } from "../../record/imported-from.ts";
import { voicesOfClusters } from "../../record/voices.ts";
import type { ProjectRef } from "./references.ts";

/** Groups without a recorded time, which were linked before it was stored, come first. */
const IN_ORDER_OF_LINKING = sql`g.linked_at nulls first, g.id`;

/** Every field of an issue except those that `completed` adds, from `issues i join projects p`; `watching` is the user's. */
export function issueColumns(userId: number): RawBuilder<unknown> {
  return sql`
    i.id, p.key || '-' || i.number as key, i.project_id, i.title, i.description, i.type, i.priority,
    i.lane_id, i.rank, i.assignee_id, i.created_by, i.sprint_id, i.epic_id, i.estimated_minutes,
    array(select label_id from issue_labels where issue_id = i.id order by 1) as label_ids,
    array(select blocker_id from issue_blocks where blocked_id = i.id order by 1) as blocked_by_ids,
    array(select blocked_id from issue_blocks where blocker_id = i.id order by 1) as blocks_ids,
    array(select other_id from issue_relations where issue_id = i.id order by 1) as relates_to_ids,
    i.due_on, i.parent_id, i.duplicate_of_id,
    (select json_build_object('total', count(*), 'done', count(s.closed_at)) from issues s where s.parent_id = i.id)
      as sub_issue_counts,
    array(select id from reports where promoted_issue_id = i.id order by 1) as report_ids,
    array(select id from reports where duplicate_of_issue_id = i.id order by 1) as duplicate_report_ids,
    (select g.id from error_groups g where g.linked_issue_id = i.id order by ${IN_ORDER_OF_LINKING} limit 1)
      as error_group_id,
    array(select g.id from error_groups g where g.linked_issue_id = i.id order by ${IN_ORDER_OF_LINKING})
      as error_group_ids,
    ${gitLinksField("issue_id", sql`i.id`)},
    (select count(*) from comments where issue_id = i.id) as comments_count,
    ${attachmentsField(sql`a.issue_id = i.id and a.comment_id is null`)} as attachments,
    exists (select from issue_watchers where issue_id = i.id and user_id = ${userId}) as watching,
    i.created_at, i.updated_at, i.closed_at, ${importedFromField("issue_id", sql`i.id`)}`;
}

/** 404 if the project has no such issue. */
export function readIssue(db: Db, projectId: number, issueId: number, userId: number): Promise<Issue> {
  return readOne(db, projectId, sql`i.id = ${issueId}`, userId);
}

/** The project's issues with these ids. Unknown ids are left out. */
export async function readIssues(db: Db, projectId: number, ids: number[], userId: number): Promise<Issue[]> {
  const { rows } = await sql<IssueRow>`
    select ${issueColumns(userId)} from issues i join projects p on p.id = i.project_id
    where i.project_id = ${projectId} and i.id = any(${ids}::bigint[]) order by i.id`.execute(db);
  return completed(db, rows);
}

/** The issue that a path names by id or by key, `WEB-12`; 404 if the project has no such issue. */
export async function readNamedIssue(
  db: Db,
  project: ProjectRef,
  name: string,
  userId: number,
): Promise<Issue> {
  return readOne(db, project.id, isNamed(project, name), userId);
}

async function readOne(
  db: Db,
  projectId: number,
  condition: RawBuilder<unknown>,
  userId: number,
): Promise<Issue> {
  const { rows } = await sql<IssueRow>`
    select ${issueColumns(userId)} from issues i join projects p on p.id = i.project_id
    where i.project_id = ${projectId} and ${condition}`.execute(db);
  const [issue] = await completed(db, rows);
  if (!issue) throw noSuchIssue();
  return issue;
}

export type IssueRow = Omit<Issue, "tasks" | "voices">;

/** Adds the tasks in the description, and the voices of issues with reports. */
export async function completed(db: Db, rows: IssueRow[]): Promise<Issue[]> {
  const wanted = rows.filter(
    ({ report_ids, duplicate_report_ids }) => report_ids.length + duplicate_report_ids.length > 0,
  );
  const voices = await countVoices(db, wanted);
  return rows.map((row) => ({ ...row, tasks: countTasks(row.description), voices: voices.get(row.id) ?? 0 }));
}

async function countVoices(db: Db, issues: { id: number }[]): Promise<Map<number, number>> {
  if (issues.length === 0) return new Map();
  const { rows } = await sql<{ id: number; count: number }>`
    with recursive clusters as (select -id as cluster from unnest(${issues.map(({ id }) => id)}::bigint[]) issue (id)),
    ${voicesOfClusters}
    select -cluster as id, count from voices`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The id of the issue that a path names by id or by key, `WEB-12`; 404 if the project has no such issue. */
export async function findIssue(db: Db, project: ProjectRef, name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select i.id from issues i where i.project_id = ${project.id} and ${isNamed(project, name)}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuchIssue();
  return row.id;
}

/** Like `findIssue` for an issue that a body names: 422 on `issue` if the project has no such issue. */
export async function findIssueInBody(db: Db, project: ProjectRef, name: string): Promise<number> {
  return findIssue(db, project, name).catch((error: Error) => {
    if (error instanceof HttpError && error.status === noSuchIssue().status)
      throw invalid({ issue: ["is not an issue of the project"] });
    throw error;
  });
}

/** A condition on `issues i`; 404 if the name is neither an id nor a key of this project. */
function isNamed(project: ProjectRef, name: string): RawBuilder<unknown> {
  const [, key, number] = /^(?:([A-Z][A-Z0-9]{1,9})-)?([1-9][0-9]{0,14})$/.exec(name) ?? [];
  if (number === undefined || (key !== undefined && key !== project.key)) throw noSuchIssue();
  return sql`${key === undefined ? sql`i.id` : sql`i.number`} = ${number}::bigint`;
}

export const noSuchIssue = () => notFound("There is no such issue.");
