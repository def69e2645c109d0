import { MAX_FILE_NAME_LENGTH } from "../../shared/attachments.ts";

/** Invisible characters that could make a name look like another: control, line separator and text direction marks. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Browsers escape these characters in the name of an uploaded file. */
const ESCAPED: Record<string, string> = { "%22": '"', "%0D": "", "%0A": "" };

/**
 * The name to store for an uploaded file: at most 255 characters, without directories and invisible characters. If
 * nothing remains, the name is `file`.
 */
export function cleanFileName(name: string): string {
  const readable = name
    .toWellFormed()
    .replaceAll(/%(?:22|0D|0A)/g, (escape) => ESCAPED[escape] ?? "")
    .replaceAll(HIDDEN, "");
  const last = readable.slice(Math.max(readable.lastIndexOf("/"), readable.lastIndexOf("\\")) + 1).trim();
  return truncate(/^\.*$/.test(last) ? "file" : last);
}

/** Replaces the extension of a file that was converted. */
export function withExtension(name: string, extension: string): string {
  return truncate(`${name.replace(/\.[^.]*$/, "")}.${extension}`);
}

/** Shortens a long name before its extension. */
function truncate(name: string): string {
  const points = Array.from(name);
  if (points.length <= MAX_FILE_NAME_LENGTH) return name;
  const extension = Array.from(/\.[^.]{1,20}$/.exec(name)?.[0] ?? "");
  return [...points.slice(0, MAX_FILE_NAME_LENGTH - extension.length), ...extension].join("");
}
