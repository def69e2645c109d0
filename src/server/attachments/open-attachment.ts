import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Readable } from "node:stream";
import type { Db } from "../db/connect.ts";
import { notFound } from "../answers/errors.ts";
import { openVerified } from "../files/storage/open-verified.ts";
import type { Storage } from "../files/storage/storage.ts";
import { isDraftFileOf } from "./draft-files.ts";
import type { AttachmentOwner } from "./insert-attachments.ts";

export type Download = {
  filename: string;
  mime_type: string;
  size: number;
  /** Differs between any two files. */
  etag: string;
  /** 502 if the stored file is damaged, 404 if it was deleted meanwhile. */
  read(): Promise<Readable | Buffer>;
};

/**
 * Finds the attachment's stored file. The attachments of an issue, epic, error group or report include those of its comments.
 * 404 if there is no such attachment.
 */
export async function openAttachment(
  db: Db,
  storage: Storage,
  {
    owner,
    attachmentId,
    ofComments = true,
  }: { owner: AttachmentOwner; attachmentId: number; ofComments?: boolean },
): Promise<Download> {
  const read = () =>
    rowOf(db, attachmentId)
      .where((where) => where.and(owner))
      .$if(!ofComments, (query) => query.where("a.comment_id", "is", null))
      .executeTakeFirst();
  return open(storage, attachmentId, read);
}

/** The small version of the attachment, if it has one. */
export async function readThumbnail(
  db: Db,
  owner: AttachmentOwner,
  attachmentId: number,
  { ofComments = true } = {},
): Promise<Download | undefined> {
  const row = await db
    .selectFrom("attachments as a")
    .select(["a.filename", "a.thumbnail"])
    .where("a.id", "=", attachmentId)
    .where((where) => where.and(owner))
    .$if(!ofComments, (query) => query.where("a.comment_id", "is", null))
    .executeTakeFirst();
  if (!row?.thumbnail) return undefined;
  const { filename, thumbnail: content } = row;
  const etag = tagOf(hash("sha256", content));
  return { filename, mime_type: "image/webp", size: content.length, etag, read: async () => content };
}

/** Finds a file that the user added to an issue that is not created yet. 404 for any other file. */
export function openDraftFile(
  db: Db,
  storage: Storage,
  { userId, projectId }: { userId: number; projectId: number },
  attachmentId: number,
): Promise<Download> {
  return open(storage, attachmentId, () =>
    rowOf(db, attachmentId).where(isDraftFileOf(userId, projectId)).executeTakeFirst(),
  );
}

const rowOf = (db: Db, attachmentId: number) =>
  db
    .selectFrom("attachments as a")
    .select(["a.filename", "a.mime_type", "a.size", "a.storage_key"])
    .select(sql<string>`encode(a.sha256, 'hex')`.as("sha256"))
    .where("a.id", "=", attachmentId);

type Row = Pick<Download, "filename" | "mime_type" | "size"> & { storage_key: string; sha256: string };

async function open(
  storage: Storage,
  attachmentId: number,
  readRow: () => Promise<Row | undefined>,
): Promise<Download> {
  const row = await readRow();
  if (!row) throw noSuchAttachment();
  const { storage_key, sha256, ...file } = row;
  const read = async () => {
    const content = await openVerified(storage, row);
    if (content) return content;
    // The attachment may have been deleted after its row was read. Otherwise the storage has lost the file.
    if (!(await readRow())) throw noSuchAttachment();
    throw new Error(`the file ${storage_key} of attachment ${attachmentId} is not in storage`);
  };
  return { ...file, etag: tagOf(sha256), read };
}

/** Weak, like all tags of the API. */
const tagOf = (sha256: string) => `W/"${sha256.slice(0, 32)}"`;

export const noSuchAttachment = () => notFound("There is no such attachment.");
