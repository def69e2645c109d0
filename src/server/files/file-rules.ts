import type { FieldErrors } from "../answers/errors.ts";
import { IMAGE_TYPES, kindOf } from "./kinds.ts";
import type { Upload } from "./read-multipart.ts";

/** What a form accepts in the field: how many files, how large each, and whether images only. */
export type FileRules = { field: string; files: number; bytes: number; imagesOnly: boolean };

/** The errors that names and sizes reveal before any content is examined, by field. */
export function findFileErrors({ files, tooMany }: Upload, rules: FileRules): FieldErrors {
  const errors: FieldErrors = {};
  for (const file of files) {
    const error = file.tooLarge
      ? `must be at most ${rules.bytes / 1_048_576} MB`
      : nameError(file.filename, rules);
    if (error !== undefined) errors[file.field] = [error];
  }
  if (tooMany)
    errors[rules.field] = [rules.files === 1 ? "must be one file" : `must be at most ${rules.files} files`];
  return errors;
}

function nameError(filename: string, { imagesOnly }: FileRules): string | undefined {
  const kind = kindOf(filename);
  if (imagesOnly && kind?.content.as !== "image") return `must be an image: ${IMAGE_TYPES}`;
  return kind ? undefined : "is not of a type that can be attached";
}
