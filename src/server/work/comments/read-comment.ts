import { sql } from "kysely";
import type { Comment } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import type { LiveChange } from "../../record/live-changes.ts";
import { attachmentsField } from "../../attachments/list-attachments.ts";
import { isOn, TARGETS, type CommentTarget } from "./target.ts";

/** Every field of a comment, from `comments c`. */
export const commentColumns = sql`
  c.id, c.content, c.parent_id, c.is_pinned, c.user_id, c.author_name, c.is_public,
  case when c.issue_id is not null then 'issues' when c.epic_id is not null then 'epics'
    when c.error_group_id is not null then 'error_groups' else 'reports' end as commentable_type,
  coalesce(c.issue_id, c.epic_id, c.error_group_id, c.report_id) as commentable_id, c.created_at,
  array(select user_id from comment_likes where comment_id = c.id order by 1) as liker_ids,
  ${attachmentsField(sql`a.comment_id = c.id`)} as attachments`;

/** 404 if it is not a comment on this target. */
export async function readComment(db: Db, target: CommentTarget, commentId: number): Promise<Comment> {
  const { rows } = await sql<Comment>`
    select ${commentColumns} from comments c where ${isOn(target)} and c.id = ${commentId}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuchComment();
  return row;
}

/** The project's comments with these ids. Unknown ids are left out. */
export async function readComments(db: Db, projectId: number, ids: number[]): Promise<Comment[]> {
  const { rows } = await sql<Comment>`
    select ${commentColumns} from comments c
    where c.project_id = ${projectId} and c.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

type LockedComment = { content: string; parent_id: number | null; user_id: number | null };

/** Locks the comment until the transaction ends and returns its current text. 404 if it is not a comment on this target. */
export async function lockComment(tx: Tx, target: CommentTarget, commentId: number): Promise<LockedComment> {
  const { rows } = await sql<LockedComment>`
    select c.content, c.parent_id, c.user_id from comments c where ${isOn(target)} and c.id = ${commentId}
    for no key update`.execute(tx);
  const [row] = rows;
  if (!row) throw noSuchComment();
  return row;
}

/** The live change to announce when the comment changes. */
export function commentChange(target: CommentTarget, commentId: number): LiveChange {
  const { project_id, kind, id } = target;
  return { kind: "comment", project_id, id: commentId, commentable: { type: TARGETS[kind].type, id } };
}

export const noSuchComment = () => notFound("There is no such comment.");
