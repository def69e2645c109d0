import type { Comment } from "../../../shared/comments.ts";
import type { Db } from "../../db/connect.ts";
import type { ProjectRef } from "../issues/references.ts";
import { notifyEditedComment } from "../../inform/notify/comment-notifications.ts";
import { announce } from "../../record/live-changes.ts";
import { mentionedUsers } from "./mentions.ts";
import { commentChange, lockComment, readComment } from "./read-comment.ts";
import type { CommentTarget } from "./target.ts";

type CommentChange = { target: CommentTarget; commentId: number; actorId: number; content: string };

/**
 * Changes the text and notifies the users whom the earlier text did not mention, unless somebody without an account wrote it. 404
 * if there is no such comment.
 */
export async function updateComment(
  db: Db,
  project: ProjectRef,
  { target, commentId, actorId, content }: CommentChange,
): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    const before = await lockComment(tx, target, commentId);
    await tx.updateTable("comments").set({ content }).where("id", "=", commentId).execute();
    await notifyEditedComment(tx, {
      project,
      target,
      comment: { id: commentId, parent_id: before.parent_id, content },
      actorId,
      mentioned: before.user_id === null ? [] : await mentionedUsers(tx, project, content, before.content),
    });
    await announce(tx, [commentChange(target, commentId)]);
    return readComment(tx, target, commentId);
  });
}
