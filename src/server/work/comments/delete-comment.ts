import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { commentChange, noSuchComment } from "./read-comment.ts";
import { isOn, lockTarget, type CommentTarget } from "./target.ts";

/** Deletes a comment; deleting a root comment deletes its replies. 404 if there is no such comment. */
export async function deleteComment(
  db: Db,
  target: CommentTarget,
  commentId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Deleting a root locks its replies one by one, and pinning locks two comments: without this lock they can deadlock.
    await lockTarget(tx, target, "exclusive");
    const { rows } = await sql<{ user_id: number | null }>`
      delete from comments c where ${isOn(target)} and c.id = ${commentId} returning c.user_id`.execute(tx);
    const [comment] = rows;
    if (!comment) throw noSuchComment();
    // Authors may delete their own comments without an entry in the audit log.
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
