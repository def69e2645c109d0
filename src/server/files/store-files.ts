import type { FileExaminer } from "./file-examiner.ts";
import { withExtension } from "./file-name.ts";
import { IMAGE_TYPES, kindOf } from "./kinds.ts";
import { invalid, type FieldErrors } from "../answers/errors.ts";
import type { Upload, UploadedFile } from "./uploads.ts";
import { putFiles } from "./storage/put-files.ts";
import { newKey, type Storage } from "./storage/storage.ts";

/** What may come: how many files in which field, how large each, and whether of images alone. */
export type FileRules = { field: string; files: number; bytes: number; imagesOnly: boolean };

/** A file that is in storage but does not have its row yet. */
export type StoredFile = {
  filename: string;
  mime_type: string;
  size: number;
  sha256: Buffer;
  storage_key: string;
};

/** What names and sizes tell already: errors by field, empty when there are none. */
export function fileErrors({ files, tooMany }: Upload, rules: FileRules): FieldErrors {
  const errors: FieldErrors = {};
  for (const file of files) {
    const refusal = file.tooLarge
      ? `must be at most ${rules.bytes / 1_048_576} MB`
      : nameRefusal(file.filename, rules);
    if (refusal !== undefined) errors[file.field] = [refusal];
  }
  if (tooMany)
    errors[rules.field] = [rules.files === 1 ? "must be one file" : `must be at most ${rules.files} files`];
  return errors;
}

function nameRefusal(filename: string, { imagesOnly }: FileRules): string | undefined {
  const kind = kindOf(filename);
  if (imagesOnly && kind?.content.as !== "image") return `must be an image: ${IMAGE_TYPES}`;
  return kind ? undefined : "is not of a type that can be attached";
}

/**
 * Looks into the files, puts them into storage and calls `commit`, which writes their rows (P12). 422 on the field of
 * a file that is not what its name says, or an image that cannot be converted. What was put and gets no row is removed
 * at once, or, when nobody knows whether the rows were written, by the sweep.
 */
export async function keepFiles<T>(
  { examiner, storage }: { examiner: FileExaminer; storage: Storage },
  files: UploadedFile[],
  commit: (stored: StoredFile[]) => Promise<T>,
): Promise<T> {
  const ready = await examineAll(examiner, files);
  const put = ready.map(({ path, attachment }) => ({ path, storage_key: attachment.storage_key }));
  return putFiles(storage, put, () => commit(ready.map((file) => file.attachment)));
}

type Ready = { path: string; attachment: StoredFile };

async function examineAll(examiner: FileExaminer, files: UploadedFile[]): Promise<Ready[]> {
  const ready: Ready[] = [];
  const errors: FieldErrors = {};
  for (const file of files) {
    const result = await examineOne(examiner, file);
    if (typeof result === "string") errors[file.field] = [result];
    else ready.push(result);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return ready;
}

/** The file as it is to be kept, or why it is not. */
async function examineOne(examiner: FileExaminer, file: UploadedFile): Promise<Ready | string> {
  const { path, filename, size, sha256 } = file;
  const target = `${path}.webp`;
  const verdict = await examiner.examine({ file: path, filename, target });
  if ("refused" in verdict) return verdict.refused;
  const { mime_type, converted } = verdict;
  const storage_key = newKey();
  if (!converted) return { path, attachment: { filename, mime_type, size, sha256, storage_key } };
  return {
    path: target,
    attachment: {
      filename: withExtension(filename, "webp"),
      mime_type,
      size: converted.size,
      sha256: Buffer.from(converted.sha256, "hex"),
      storage_key,
    },
  };
}
