import type { AttachmentOwner } from "../../attachments/insert-attachments.ts";
import type { Tx } from "../../db/connect.ts";
import { recordHistory } from "../../record/issue-history.ts";
import { announce } from "../../record/live-changes.ts";
import { commentChange, lockComment } from "../comments/read-comment.ts";
import { lockTarget, touchTarget, type CommentTarget } from "../comments/target.ts";

/** What an attachment belongs to: an issue, epic, error group or report, or a comment on it. */
export type AttachmentParent = { target: CommentTarget; commentId: number | undefined };

export function ownerOf({ target, commentId }: AttachmentParent): AttachmentOwner {
  return {
    project_id: target.project_id,
    [`${target.kind}_id`]: target.id,
    ...(commentId === undefined ? {} : { comment_id: commentId }),
  };
}

/** Keeps the target and the comment from being deleted until the transaction ends. 404 if it is already gone. */
export async function lockOwner(tx: Tx, { target, commentId }: AttachmentParent): Promise<void> {
  await lockTarget(tx, target, commentId === undefined ? "exclusive" : "shared");
  if (commentId !== undefined) await lockComment(tx, target, commentId);
}

/** Records that a file was added (`to`) or deleted (`from`), for live updates and in the history of an issue. */
export async function recordChange(
  tx: Tx,
  { target, commentId }: AttachmentParent,
  actorId: number,
  change: { from?: string; to?: string },
): Promise<void> {
  if (commentId !== undefined) return announce(tx, [commentChange(target, commentId)]);
  await touchTarget(tx, target);
  if (target.kind === "issue")
    await recordHistory(tx, actorId, [{ issue_id: target.id, kind: "attachments", ...change }]);
}
