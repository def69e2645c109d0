import type { RemoveValues } from "./rules.ts";

/** Longer names are not examined, so that the search takes linear time. */
const MAX_NAME_LENGTH = 64;

/**
 * Removes the values of sensitive names inside a text: `password=hunter2` and `"password": "hunter2"`, even in escaped
 * JSON. `token: x` is prose and stays.
 */
export const assignments =
  (ruleOfKey: (key: string) => string | undefined): RemoveValues =>
  (text, found) => {
    if (!text.includes("=") && !text.includes('":')) return text;
    let out = "";
    let kept = 0;
    for (let at = 0; (at = nextSign(text, at)) !== -1; at++) {
      if (at < kept) continue;
      const rule = ruleOfKey(nameBefore(text, at));
      if (rule === undefined) continue;
      const start = startOfValue(text, at + 1);
      const end = endOfValue(text, start);
      if (end === start || text.startsWith("[removed: ", start)) continue;
      out += text.slice(kept, start) + found(rule);
      kept = end;
    }
    return kept === 0 ? text : out + text.slice(kept);
  };

/** The next `=` or `":`. */
function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  const match = SIGN.exec(text);
  return match ? match.index : -1;
}

// `==`, `=>`, `<=` and `!=` are not assignments.
const SIGN = /(?<![=!<>])=(?![=>])|(?<="):/g;

function nameBefore(text: string, sign: number): string {
  const end = text[sign] === ":" ? (text[sign - 2] === "\\" ? sign - 2 : sign - 1) : sign;
  let start = end;
  while (start > 0 && end - start < MAX_NAME_LENGTH && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

/** Letters, digits, `_`, `-`, `.`, `[` and `]`. */
function isNameCharacter(code: number): boolean {
  const lower = code | 32;
  return (
    (lower >= 97 && lower <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 91 ||
    code === 93
  );
}

function startOfValue(text: string, from: number): number {
  let start = from;
  while (text[start] === " ") start++;
  return start;
}

/** A value in quotes ends with them, an object or list at the end of the text, and others at a separator. */
function endOfValue(text: string, start: number): number {
  const opener = text.startsWith('\\"', start) ? '\\"' : (text[start] ?? "");
  if (opener === "{") return text.length;
  if (opener === '"' || opener === "'" || opener === '\\"') return endOfQuoted(text, start, opener);
  END.lastIndex = start;
  return END.exec(text)?.index ?? text.length;
}

const END = /[\s&;,"'`<>(){}\\]/g;

/** Includes the closing quote. Without one, the value was cut off and ends with the text. */
function endOfQuoted(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; (at = text.indexOf(quote, at)) !== -1; at += quote.length) {
    if (quote.length > 1 || text[at - 1] !== "\\") return at + quote.length;
  }
  return text.length;
}
