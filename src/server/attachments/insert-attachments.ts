import type { Attachment } from "../../shared/attachments.ts";
import type { Tx } from "../db/connect.ts";
import type { StoredUpload } from "../files/store-uploads.ts";
import { requireQuota } from "./project-storage.ts";

/**
 * The report, issue, epic or error group that attachments belong to. Attachments of a comment have the comment's id, too.
 */
export type AttachmentOwner = {
  project_id: number;
  report_id?: number;
  issue_id?: number;
  epic_id?: number;
  error_group_id?: number;
  comment_id?: number;
  /** The author of the report sent the file with it. */
  sent_with_report?: true;
};

export const ATTACHMENT_COLUMNS = ["id", "filename", "mime_type", "size", "user_id", "created_at"] as const;

/** `userId` is null for files of people without an account. `quota` is in bytes, for all attachments of the project. */
type Uploaded = { userId: number | null; quota: number | undefined; field: string };

/** Inserts one row per stored file, in the order of the files. 422 on `field` beyond the project's quota. */
export async function insertAttachments(
  tx: Tx,
  owner: AttachmentOwner,
  files: StoredUpload[],
  { userId, quota, field }: Uploaded,
): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const file of files)
    attachments.push(
      await tx
        .insertInto("attachments")
        .values({ ...owner, user_id: userId, ...file })
        .returning(ATTACHMENT_COLUMNS)
        .executeTakeFirstOrThrow(),
    );
  if (files.length > 0) await requireQuota(tx, owner.project_id, quota, field);
  return attachments;
}
