import { sql } from "kysely";
import type { z } from "zod";
import type { Comment, commentBody } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid } from "../../answers/errors.ts";
import type { ProjectRef } from "../issues/references.ts";
import { notifyComment } from "../../inform/notify/comment-notifications.ts";
import { announce } from "../../record/live-changes.ts";
import { mentionedUsers } from "./mentions.ts";
import { commentChange, readComment } from "./read-comment.ts";
import { isOn, lockTarget, type Target } from "./target.ts";

/**
 * Creates a root comment, or a reply to one, and notifies the users it concerns. 404 if the issue or epic has been
 * deleted; 422 on `parent_id` if it is not a root comment on the same issue or epic.
 */
export async function createComment(
  db: Db,
  project: ProjectRef,
  target: Target,
  actorId: number,
  body: z.output<typeof commentBody>,
): Promise<Comment> {
  const { content } = body;
  const parent_id = body.parent_id ?? null;
  return db.transaction().execute(async (tx) => {
    await lockTarget(tx, target, "shared");
    if (parent_id !== null) await requireRoot(tx, target, parent_id);
    const { id } = await tx
      .insertInto("comments")
      .values({
        project_id: project.id,
        issue_id: target.kind === "issue" ? target.id : null,
        epic_id: target.kind === "epic" ? target.id : null,
        parent_id,
        user_id: actorId,
        content,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await notifyComment(tx, {
      project,
      target,
      comment: { id, parent_id, content },
      actorId,
      mentioned: await mentionedUsers(tx, project, content),
    });
    await announce(tx, [commentChange(target, id)]);
    return readComment(tx, target, id);
  });
}

/** Locks the root comment, so that it cannot be deleted while the reply is added. */
async function requireRoot(tx: Tx, target: Target, id: number): Promise<void> {
  const { rows } = await sql<{ parent_id: number | null }>`
    select c.parent_id from comments c where ${isOn(target)} and c.id = ${id} for key share`.execute(tx);
  const [row] = rows;
  if (!row) throw invalid({ parent_id: [`is not a comment on this ${target.kind}`] });
  if (row.parent_id !== null)
    throw invalid({ parent_id: ["is a reply; only a root comment can have replies"] });
}
