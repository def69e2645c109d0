import { sql } from "kysely";
import type { Readable } from "node:stream";
import type { Db } from "../db/connect.ts";
import { notFound } from "../answers/errors.ts";
import { openVerified } from "../files/storage/open-verified.ts";
import type { Storage } from "../files/storage/storage.ts";
import type { AttachmentOwner } from "./insert-attachments.ts";

export type Download = { filename: string; mime_type: string; size: number; content: Readable | Buffer };

/**
 * Opens the attachment's stored file. An issue, epic, error group or report also has the attachments of its
 * comments. 404 if there is no such
 * attachment, 502 if the file is damaged.
 */
export async function openAttachment(
  db: Db,
  storage: Storage,
  owner: AttachmentOwner,
  attachmentId: number,
  { ofComments = true } = {},
): Promise<Download> {
  const readRow = () =>
    db
      .selectFrom("attachments")
      .select(["filename", "mime_type", "size", "storage_key"])
      .select(sql<string>`encode(sha256, 'hex')`.as("sha256"))
      .where((where) => where.and(owner))
      .where("id", "=", attachmentId)
      .$if(!ofComments, (query) => query.where("comment_id", "is", null))
      .executeTakeFirst();
  const row = await readRow();
  if (!row) throw noSuchAttachment();
  const { storage_key, filename, mime_type, size } = row;
  const content = await openVerified(storage, row);
  if (content) return { filename, mime_type, size, content };
  // The attachment may have been deleted after its row was read. Otherwise the storage has lost the file.
  if (!(await readRow())) throw noSuchAttachment();
  throw new Error(`the file ${storage_key} of attachment ${attachmentId} is not in storage`);
}

export const noSuchAttachment = () => notFound("There is no such attachment.");
