import { sql } from "kysely";
import type { Comment } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { commentChange, readComment } from "./read-comment.ts";
import { isOn, lockTarget, type CommentTarget } from "./target.ts";

/**
 * Pins a root comment or reply and unpins the one that was pinned. If several requests race, the last one wins. 404 if
 * there is no such comment.
 */
export async function pinComment(db: Db, target: CommentTarget, commentId: number): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    await lockTarget(tx, target, "exclusive");
    const unpinned = await setPinned(tx, target, false, sql<boolean>`c.id <> ${commentId}`);
    const pinned = await setPinned(tx, target, true, sql<boolean>`c.id = ${commentId}`);
    const comment = await readComment(tx, target, commentId);
    await announce(
      tx,
      [...unpinned, ...pinned].map((id) => commentChange(target, id)),
    );
    return comment;
  });
}

/** Has no effect on a comment that is not pinned. 404 if there is no such comment. */
export async function unpinComment(db: Db, target: CommentTarget, commentId: number): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    const unpinned = await setPinned(tx, target, false, sql<boolean>`c.id = ${commentId}`);
    const comment = await readComment(tx, target, commentId);
    await announce(
      tx,
      unpinned.map((id) => commentChange(target, id)),
    );
    return comment;
  });
}

/** Returns the ids of the comments that changed. */
async function setPinned(
  tx: Tx,
  target: CommentTarget,
  isPinned: boolean,
  condition: ReturnType<typeof isOn>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update comments c set is_pinned = ${isPinned}
    where ${isOn(target)} and c.is_pinned = ${sql.lit(!isPinned)} and ${condition}
    returning c.id`.execute(tx);
  return rows.map((row) => row.id);
}
