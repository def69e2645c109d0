import type { Attachment } from "../../../shared/attachments.ts";
import { insertAttachments } from "../../attachments/insert-attachments.ts";
import type { Db } from "../../db/connect.ts";
import type { StoredUpload } from "../../files/store-uploads.ts";
import { lockOwner, ownerOf, recordChange, type AttachmentParent } from "./attachment-parent.ts";

/** Adds a stored file. 404 if the issue, epic or comment has been deleted in the meantime, 422 beyond the quota. */
export async function addAttachment(
  db: Db,
  place: AttachmentParent,
  uploaded: { userId: number; quota: number | undefined },
  file: StoredUpload,
): Promise<Attachment> {
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, place);
    const [attachment] = await insertAttachments(tx, ownerOf(place), [file], { ...uploaded, field: "file" });
    await recordChange(tx, place, uploaded.userId, { to: file.filename });
    return attachment as Attachment;
  });
}
