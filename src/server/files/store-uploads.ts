import type { FileExaminer } from "./file-examiner.ts";
import { withExtension } from "./file-name.ts";
import { invalid, type FieldErrors } from "../answers/errors.ts";
import type { UploadedFile } from "./read-multipart.ts";
import type { Uploader } from "./uploader.ts";
import { putFiles } from "./storage/put-files.ts";
import { newKey, type Storage } from "./storage/storage.ts";

/** A file that is in storage but has no row yet. */
export type StoredUpload = {
  filename: string;
  mime_type: string;
  size: number;
  sha256: Buffer;
  storage_key: string;
  /** WebP; only of an image. */
  thumbnail: Buffer | null;
};

/**
 * Examines the files, puts them into storage and calls `commit`, which writes their rows. 422 on the field of a file
 * whose content does not match its name, or of an image that cannot be converted. If `commit` fails, the stored files
 * are removed as in `putFiles`. Stops if the client disconnects before the files are stored.
 */
export async function storeUploads<T>(
  { examiner, storage }: { examiner: FileExaminer; storage: Storage },
  uploader: Uploader,
  files: UploadedFile[],
  commit: (stored: StoredUpload[]) => Promise<T>,
): Promise<T> {
  const examined = await examineAll(examiner, uploader, files);
  uploader.signal.throwIfAborted();
  const toPut = examined.map(({ path, upload }) => ({ path, storage_key: upload.storage_key }));
  return putFiles(storage, toPut, () => commit(examined.map((file) => file.upload)));
}

type Examined = { path: string; upload: StoredUpload };

async function examineAll(
  examiner: FileExaminer,
  uploader: Uploader,
  files: UploadedFile[],
): Promise<Examined[]> {
  const examined: Examined[] = [];
  const errors: FieldErrors = {};
  for (const file of files) {
    const result = await examineOne(examiner, uploader, file);
    if (typeof result === "string") errors[file.field] = [result];
    else examined.push(result);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return examined;
}

/** The file in the form in which it will be stored, or the reason it is rejected. */
async function examineOne(
  examiner: FileExaminer,
  uploader: Uploader,
  file: UploadedFile,
): Promise<Examined | string> {
  const { path, filename, size, sha256 } = file;
  const target = `${path}.webp`;
  const verdict = await examiner.examine({ file: path, filename, target }, uploader);
  if ("refused" in verdict) return verdict.refused;
  const { mime_type, converted } = verdict;
  const storage_key = newKey();
  if (!converted)
    return { path, upload: { filename, mime_type, size, sha256, storage_key, thumbnail: null } };
  return {
    path: target,
    upload: {
      filename: withExtension(filename, "webp"),
      mime_type,
      size: converted.size,
      sha256: Buffer.from(converted.sha256, "hex"),
      storage_key,
      thumbnail: Buffer.from(converted.thumbnail, "base64"),
    },
  };
}
