import { sql } from "kysely";
import type { Comment } from "../../../shared/comments.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import type { ProjectRef } from "../issues/references.ts";
import { notifyEditedComment } from "../../inform/notify/comment-notifications.ts";
import { announce } from "../../record/live-changes.ts";
import { mentionedUsers } from "./mentions.ts";
import { commentChange, lockComment, noSuchComment, readComment } from "./read-comment.ts";
import { isOn, lockTarget, type Target } from "./target.ts";

/** Says something else, and tells those it mentions now and did not before (decisions.md 3). 404. */
export async function updateComment(
  db: Db,
  project: ProjectRef,
  target: Target,
  commentId: number,
  actorId: number,
  content: string,
): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    const before = await lockComment(tx, target, commentId);
    await tx.updateTable("comments").set({ content }).where("id", "=", commentId).execute();
    await notifyEditedComment(tx, {
      project,
      target,
      comment: { id: commentId, parent_id: before.parent_id, content },
      actorId,
      mentioned: await mentionedUsers(tx, project, content, before.content),
    });
    await announce(tx, [commentChange(target, commentId)]);
    return readComment(tx, target, commentId);
  });
}

/** Deletes a comment, and with a root its replies (service.md 4.2). 404. */
export async function deleteComment(
  db: Db,
  target: Target,
  commentId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // It takes a root's replies one after the other, and a pin takes two comments: they must not meet halfway.
    await lockTarget(tx, target, "alone");
    const { rows } = await sql<{ user_id: number }>`
      delete from comments c where ${isOn(target)} and c.id = ${commentId} returning c.user_id`.execute(tx);
    const [comment] = rows;
    if (!comment) throw noSuchComment();
    // What people take back of their own is nobody's business.
    if (comment.user_id !== actorId)
      await recordAudit(tx, {
        kind: "comment.deleted",
        project_id: target.project_id,
        subject: { type: "comment", id: commentId },
        details: { author_id: comment.user_id, [`${target.kind}_id`]: target.id },
      });
    await announce(tx, [commentChange(target, commentId)]);
  });
}
