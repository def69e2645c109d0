import { sql } from "kysely";
import type { Readable } from "node:stream";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { openVerified } from "../../files/storage/open-verified.ts";
import type { Storage } from "../../files/storage/storage.ts";

export type PictureFile = { mime_type: string; size: number; content: Readable | Buffer };

/**
 * Opens a file of a user's picture for the user themselves and for people who share a workspace with them. 404 for
 * everybody else, and if the picture has no file of this name (any longer).
 */
export async function openPicture(
  db: Db,
  storage: Storage,
  path: { userId: number; file: string },
  callerId: number,
): Promise<PictureFile> {
  const row = await findPicture(db, path, callerId);
  // The name contains half of the hash.
  const content = row && (await openVerified(storage, { ...row, sha256: path.file.slice(0, 32) }));
  if (row && content) return { mime_type: `image/${row.format}`, size: row.size, content };
  // The picture may have been replaced since it was found. If it was not, the storage has lost the file.
  const still = row && (await findPicture(db, path, callerId));
  if (still?.storage_key !== row?.storage_key || !row) throw noSuchPicture();
  throw new Error(`the file ${row.storage_key} of the picture of user ${path.userId} is not in storage`);
}

async function findPicture(db: Db, { userId, file }: { userId: number; file: string }, callerId: number) {
  // A path may contain characters that PostgreSQL rejects in text, such as NUL.
  if (!/^[0-9a-f]{32}\.(avif|webp)$/.test(file)) return undefined;
  return db
    .selectFrom("profile_pictures as p")
    .select(["p.storage_key", "p.format", "p.size"])
    .where("p.user_id", "=", userId)
    .where("p.file_name", "=", file)
    .where(
      sql<boolean>`(p.user_id = ${callerId} or exists (
        select from workspace_members theirs join workspace_members own on own.workspace_id = theirs.workspace_id
        where theirs.user_id = p.user_id and own.user_id = ${callerId} and own.deactivated_at is null))`,
    )
    .executeTakeFirst();
}

export const noSuchPicture = () => notFound("There is no such picture.");
