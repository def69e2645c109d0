import { FILE_NAME_LENGTH } from "../../shared/reports.ts";

/** Control characters, line separators, and marks that turn the direction of writing, so that a name reads as it is. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** How browsers write these in the name of a file they send. */
const ESCAPED: Record<string, string> = { "%22": '"', "%0D": "", "%0A": "" };

/**
 * The name of a file as it is kept: its characters as they are, without the parts of a path and what cannot be seen,
 * at most 255 of them (decisions.md 2). A name of which nothing is left is `file`.
 */
export function cleanFileName(name: string): string {
  const readable = name
    .toWellFormed()
    .replaceAll(/%(?:22|0D|0A)/g, (escape) => ESCAPED[escape] ?? "")
    .replaceAll(HIDDEN, "");
  const last = readable.slice(Math.max(readable.lastIndexOf("/"), readable.lastIndexOf("\\")) + 1).trim();
  return cut(/^\.*$/.test(last) ? "file" : last);
}

/** The name with the extension of what the file was converted to. */
export function withExtension(name: string, extension: string): string {
  return cut(`${name.replace(/\.[^.]*$/, "")}.${extension}`);
}

/** A long name loses the end of its stem, never its extension. */
function cut(name: string): string {
  const points = Array.from(name);
  if (points.length <= FILE_NAME_LENGTH) return name;
  const extension = Array.from(/\.[^.]{1,20}$/.exec(name)?.[0] ?? "");
  return [...points.slice(0, FILE_NAME_LENGTH - extension.length), ...extension].join("");
}
