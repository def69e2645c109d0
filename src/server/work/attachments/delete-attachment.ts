import { noSuchAttachment } from "../../attachments/open-attachment.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockOwner, ownerOf, recordChange, type AttachmentParent } from "./attachment-parent.ts";

/** Deletes the attachment's row; its file is removed later. 404 if there is no such attachment. */
export async function deleteAttachment(
  db: Db,
  place: AttachmentParent,
  attachmentId: number,
  actorId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOwner(tx, place);
    const attachment = await tx
      .deleteFrom("attachments")
      .where((where) => where.and(ownerOf(place)))
      .where("comment_id", "is not distinct from", place.commentId ?? null)
      .where("id", "=", attachmentId)
      .returning(["user_id", "filename"])
      .executeTakeFirst();
    if (!attachment) throw noSuchAttachment();
    await recordChange(tx, place, actorId, { from: attachment.filename });
    // Users may delete what they added themselves without an entry in the audit log.
    if (attachment.user_id !== actorId)
      await recordAudit(tx, {
        kind: "attachment.deleted",
        project_id: place.target.project_id,
        subject: { type: "attachment", id: attachmentId, name: attachment.filename },
        details: {
          author_id: attachment.user_id,
          [`${place.target.kind}_id`]: place.target.id,
          comment_id: place.commentId,
        },
      });
  });
}
