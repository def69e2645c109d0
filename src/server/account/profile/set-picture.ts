import { invalid, notFound } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { FileExaminer } from "../../files/file-examiner.ts";
import type { UploadedFile } from "../../files/read-multipart.ts";
import { putFiles } from "../../files/storage/put-files.ts";
import type { Uploader } from "../../files/uploader.ts";
import { type Storage, newKey } from "../../files/storage/storage.ts";

/** Width and height in pixels, twice the largest size at which the web app shows it. */
const SIDE = 256;

const FORMATS = ["avif", "webp"] as const;

type Format = (typeof FORMATS)[number];
type StoredPicture = { format: Format; file_name: string; size: number; storage_key: string };

/**
 * Replaces the user's picture by the square in the middle of an image, as AVIF and WebP. Files of the previous picture
 * are queued for deletion. 422 on the file's field if it is not an image or cannot be converted.
 */
export async function setPicture(
  { db, storage, examiner }: { db: Db; storage: Storage; examiner: FileExaminer },
  userId: number,
  uploader: Uploader,
  { field, filename, path }: UploadedFile,
): Promise<void> {
  const paths = { avif: `${path}.avif`, webp: `${path}.webp` };
  const task = { file: path, filename, square: { side: SIDE, ...paths } };
  const verdict = await examiner.square(task, uploader);
  uploader.signal.throwIfAborted();
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

export async function removePicture(db: Db, userId: number): Promise<void> {
  await db.transaction().execute((tx) => replacePictures(tx, userId, []));
}

/** Writing the user's row first serializes concurrent changes of the picture. */
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
  if (!user) throw notFound("There is no such user.");
  await tx.deleteFrom("profile_pictures").where("user_id", "=", userId).execute();
  if (pictures.length > 0)
    await tx
      .insertInto("profile_pictures")
      .values(pictures.map((picture) => ({ ...picture, user_id: userId })))
      .execute();
}
