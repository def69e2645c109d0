import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { FileExaminer } from "../../files/file-examiner.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import type { UploadedFile } from "../../files/read-multipart.ts";
import { putFiles } from "../../files/storage/put-files.ts";
import { newKey, type Storage } from "../../files/storage/storage.ts";

/** A picture's width and height in pixels: twice the largest it is shown. */
const SIDE = 256;

const FORMATS = ["avif", "webp"] as const;

type Format = (typeof FORMATS)[number];
type StoredPicture = { format: Format; file_name: string; size: number; storage_key: string };

/**
 * Makes the square in the middle of an image the person's picture, as AVIF and WebP, in place of the one before (its
 * files are noted for removal). 422 on the file's field for what is no image or cannot be converted.
 */
export async function setPicture(
  { db, storage, examiner }: { db: Db; storage: Storage; examiner: FileExaminer },
  userId: number,
  { field, filename, path }: UploadedFile,
): Promise<void> {
  const paths = { avif: `${path}.avif`, webp: `${path}.webp` };
  const verdict = await examiner.square({ file: path, filename, square: { side: SIDE, ...paths } });
  if ("refused" in verdict) throw invalid({ [field]: [verdict.refused] });
  const pictures = FORMATS.map((format) => ({
    format,
    file_name: `${verdict[format].sha256.slice(0, 32)}.${format}`,
    size: verdict[format].size,
    storage_key: newKey(),
  }));
  const files = pictures.map(({ format, storage_key }) => ({ storage_key, path: paths[format] }));
  await putFiles(storage, files, () =>
    db.transaction().execute((tx) => replacePictures(tx, userId, pictures)),
  );
}

/** The person has no picture; nothing happens when there was none. */
export async function removePicture(db: Db, userId: number): Promise<void> {
  await db.transaction().execute((tx) => replacePictures(tx, userId, []));
}

/** Two at once come one after the other: the person's row is written first. */
async function replacePictures(tx: Tx, userId: number, pictures: StoredPicture[]): Promise<void> {
  const addresses = Object.fromEntries(
    pictures.map(({ format, file_name }) => [format, `/api/users/${userId}/picture/${file_name}`]),
  );
  const user = await tx
    .updateTable("users")
    .set({ profile_picture: pictures.length > 0 ? JSON.stringify(addresses) : null })
    .where("id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  if (!user) throw notFound("There is no such person.");
  await tx.deleteFrom("profile_pictures").where("user_id", "=", userId).execute();
  if (pictures.length > 0)
    await tx
      .insertInto("profile_pictures")
      .values(pictures.map((picture) => ({ ...picture, user_id: userId })))
      .execute();
}

export type PictureFile = { mime_type: string; size: number; stream: Readable };

/**
 * A file of a person's picture, for themselves and whoever shares a workspace with them. 404 for everybody else, and
 * for a name that is not, or no longer, their picture's.
 */
export async function openPicture(
  db: Db,
  storage: Storage,
  path: { userId: number; file: string },
  callerId: number,
): Promise<PictureFile> {
  const row = await findPicture(db, path, callerId);
  const stream = row && (await storage.open(row.storage_key));
  if (row && stream) return { mime_type: `image/${row.format}`, size: row.size, stream };
  // Replaced between the two looks; if not, somebody emptied the storage.
  const still = row && (await findPicture(db, path, callerId));
  if (still?.storage_key !== row?.storage_key || !row) throw noSuchPicture();
  throw new Error(`the file ${row.storage_key} of the picture of user ${path.userId} is not in storage`);
}

async function findPicture(db: Db, { userId, file }: { userId: number; file: string }, callerId: number) {
  // What is no such name is not asked for: a path may hold what the database takes for no text.
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
