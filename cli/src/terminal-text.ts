import { stripVTControlCharacters } from "node:util";

/** Line breaks within one line of output. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Control characters, and those that reorder the text around them. A terminal would obey the former, and the latter can
 * make one text look like another.
 */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside on one line: line breaks become spaces, control sequences are removed. */
export function oneLine(text: string): string {
  return severalLines(text).replace(BREAKS, " ").trim();
}

/** Text from outside with its line breaks and tabs, without control sequences. */
export function severalLines(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(DANGEROUS, "");
}

/** JSON in which the dangerous characters are escaped, which changes nothing for programs that read it. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    DANGEROUS,
    (character) =>
      // Line breaks of the indentation are not in the pattern; JSON.stringify has escaped all others.
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
