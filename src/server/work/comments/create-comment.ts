import { sql } from "kysely";
import type { z } from "zod";
import type { Comment, commentBody } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import type { ProjectRef } from "../issues/references.ts";
import { notifyComment } from "../../inform/notify/comment-notifications.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { announce } from "../../record/live-changes.ts";
import { mailPublicReply } from "../../reports/subscriptions/mail-subscribers.ts";
import { mentionedUsers } from "./mentions.ts";
import { commentChange, readComment } from "./read-comment.ts";
import { isOn, lockTarget, TARGETS, touchTarget, type CommentTarget } from "./target.ts";

/**
 * Creates a root comment, or a reply to one, and notifies the users it concerns. 404 if the target has been deleted; 422
 * on `parent_id` if it is not a root comment on the same target, or is internal while the reply is public, and on `attachment_ids.N` if it is not a file that the
 * author has added there.
 */
export async function createComment(
  db: Db,
  project: ProjectRef,
  { target, actorId, body }: { target: CommentTarget; actorId: number; body: z.output<typeof commentBody> },
): Promise<Comment> {
  const { content, is_public = false } = body;
  const parent_id = body.parent_id ?? null;
  return db.transaction().execute(async (tx) => {
    // Taking attachments changes the target. Locking it for that only later could deadlock with a deletion.
    await lockTarget(tx, target, body.attachment_ids?.length ? "exclusive" : "shared");
    if (parent_id !== null) await requireRoot(tx, target, { id: parent_id, is_public });
    const { id } = await tx
      .insertInto("comments")
      .values({
        project_id: project.id,
        [`${target.kind}_id`]: target.id,
        parent_id,
        user_id: actorId,
        content,
        is_public,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (body.attachment_ids?.length)
      await takeAttachments(tx, { target, commentId: id, actorId, ids: body.attachment_ids });
    await notifyComment(tx, {
      project,
      target,
      comment: { id, parent_id, content },
      actorId,
      mentioned: await mentionedUsers(tx, project, content),
    });
    await announce(tx, [commentChange(target, id)]);
    noteChange(tx, { type: "comment.created", kind: "comment", id });
    if (is_public) {
      noteChange(tx, { type: "report.replied", kind: "report", id: target.id });
      await mailPublicReply(tx, { reportId: target.id, content, authorId: actorId });
    }
    return readComment(tx, target, id);
  });
}

/** Locks the root comment, so that it cannot be deleted while the reply is added. */
async function requireRoot(
  tx: Tx,
  target: CommentTarget,
  { id, is_public }: { id: number; is_public: boolean },
): Promise<void> {
  const { rows } = await sql<{ parent_id: number | null; is_public: boolean }>`
    select c.parent_id, c.is_public from comments c where ${isOn(target)} and c.id = ${id} for key share`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw invalid({ parent_id: [`is not a comment on this ${TARGETS[target.kind].noun}`] });
  if (row.parent_id !== null)
    throw invalid({ parent_id: ["is a reply; only a root comment can have replies"] });
  if (is_public && !row.is_public)
    throw invalid({ parent_id: ["is internal; the author of the report cannot see a reply to it"] });
}

async function takeAttachments(
  tx: Tx,
  {
    target,
    commentId,
    actorId,
    ids,
  }: { target: CommentTarget; commentId: number; actorId: number; ids: number[] },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update attachments a set comment_id = ${commentId}
    where a.project_id = ${target.project_id} and ${sql.ref(`a.${target.kind}_id`)} = ${target.id}
      and a.comment_id is null and a.user_id = ${actorId} and a.id = any(${ids}::bigint[])
    returning a.id`.execute(tx);
  const taken = new Set(rows.map((row) => row.id));
  const errors: FieldErrors = {};
  for (const [index, id] of ids.entries())
    if (!taken.has(id))
      errors[`attachment_ids.${index}`] = [
        `is not a file that you have added to this ${TARGETS[target.kind].noun}`,
      ];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  // The files are no longer among those of the target.
  await touchTarget(tx, target);
}
