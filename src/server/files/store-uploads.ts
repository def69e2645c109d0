import type { FileExaminer } from "./file-examiner.ts";
import { withExtension } from "./file-name.ts";
import { invalid, type FieldErrors } from "../answers/errors.ts";
import type { UploadedFile } from "./read-multipart.ts";
import type { Uploader } from "./uploader.ts";
import { putFiles } from "./storage/put-files.ts";
import { newKey, type Storage } from "./storage/storage.ts";
import type { Examined } from "./worker-messages.ts";

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

type ExaminedFile = { path: string; upload: StoredUpload };

async function examineAll(
  examiner: FileExaminer,
  uploader: Uploader,
  files: UploadedFile[],
): Promise<ExaminedFile[]> {
  const tasks = files.map(({ path, filename }) => ({ file: path, filename, target: targetOf(path) }));
  const verdicts = await examiner.examine(tasks, uploader);
  const examined: ExaminedFile[] = [];
  const errors: FieldErrors = {};
  for (const [n, file] of files.entries()) {
    const verdict = verdicts[n] as Examined;
    if ("refused" in verdict) errors[file.field] = [verdict.refused];
    else examined.push(describeStored(file, verdict));
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return examined;
}

/** The path to which an image is converted. */
const targetOf = (path: string) => `${path}.webp`;

/** The file in the form in which it will be stored. */
function describeStored(
  { path, filename, size, sha256 }: UploadedFile,
  { mime_type, converted }: Exclude<Examined, { refused: string }>,
): ExaminedFile {
  const storage_key = newKey();
  if (!converted)
    return { path, upload: { filename, mime_type, size, sha256, storage_key, thumbnail: null } };
  return {
    path: targetOf(path),
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
