import { sql } from "kysely";
import type { Comment } from "../../../shared/comments.ts";
import type { Db } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { commentChange, lockComment, readComment } from "./read-comment.ts";
import type { CommentTarget } from "./target.ts";

/** Two concurrent toggles by one user cancel each other out. 404 if there is no such comment. */
export async function toggleLike(
  db: Db,
  target: CommentTarget,
  commentId: number,
  actorId: number,
): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    await lockComment(tx, target, commentId);
    await sql`
      with unliked as (
        delete from comment_likes where comment_id = ${commentId} and user_id = ${actorId} returning user_id
      )
      insert into comment_likes (comment_id, user_id)
      select ${commentId}, ${actorId} where not exists (select from unliked)`.execute(tx);
    await announce(tx, [commentChange(target, commentId)]);
    return readComment(tx, target, commentId);
  });
}
