import { sql } from "kysely";
import type { Comment } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { commentChange, readComment } from "./read-comment.ts";
import { isOn, lockTarget, type Target } from "./target.ts";

/**
 * Pins a comment, root or reply, in place of the one that was pinned (service.md 3.3). Of several at once the last one
 * stays. 404.
 */
export async function pinComment(db: Db, target: Target, commentId: number): Promise<Comment> {
  return db.transaction().execute(async (tx) => {
    await lockTarget(tx, target, "alone");
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

/** 404. A comment that is not pinned stays as it is. */
export async function unpinComment(db: Db, target: Target, commentId: number): Promise<Comment> {
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

/** The ids of those that were not so already. */
async function setPinned(tx: Tx, target: Target, value: boolean, which: ReturnType<typeof isOn>) {
  const { rows } = await sql<{ id: number }>`
    update comments c set is_pinned = ${value}
    where ${isOn(target)} and c.is_pinned = ${sql.lit(!value)} and ${which}
    returning c.id`.execute(tx);
  return rows.map((row) => row.id);
}
