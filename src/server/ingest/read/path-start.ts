/** Finding where a path in a stack trace starts. The rules are in normalize-trace.ts. */

const NAME = 0;
const SLASH = 1;
const WHITESPACE = 2;
const QUOTE = 3;
const SEPARATOR = 4;
const OPENER = 5;
const COLON = 6;

const KINDS = new Uint8Array(128);
for (const [characters, kind] of [
  ["/", SLASH],
  ["\t\n\v\f\r ", WHITESPACE],
  ["\"'`", QUOTE],
  [",;|<>", SEPARATOR],
  ["([{=@", OPENER],
  [":", COLON],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** The kind of the UTF-16 code unit at the index. Code units outside ASCII, and positions outside the text, are names. */
function kindAt(text: string, index: number): number {
  return KINDS[text.charCodeAt(index)] ?? NAME;
}

/**
 * A fast path for most paths: those without whitespace, brackets and colons before the position. Returns -1 if the start
 * can only be found by scanning the line. Looks back to `until` at most, or a path with many vendor directories would be
 * scanned once for each of them.
 */
export function startOfPlainPath(text: string, position: number, until: number): number {
  let start = position;
  let kind = NAME;
  while (start > until && (kind = kindAt(text, start - 1)) <= SLASH) start--;
  if (start === until || kind === QUOTE || kind === SEPARATOR || text.charCodeAt(start - 1) === 10)
    return start;
  return kind !== COLON && kindAt(text, start) === SLASH ? start : -1;
}

/** Finds where the path around a position starts. It only scans forward, so positions must be passed in ascending order. */
export class PathScanner {
  readonly #text: string;
  #lineStart = 0;
  #lineEnd: number;
  #at = 0;
  #start = 0;
  #hasSlash = false;
  /** Whitespace before this position is part of the path. */
  #whitespaceUntil = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = endOfLine(text, 0);
  }

  startOfPathAt(position: number): number {
    if (position > this.#lineEnd) this.#enterLineOf(position);
    while (this.#at < position) this.#step(kindAt(this.#text, this.#at), this.#at++);
    return this.#start;
  }

  #enterLineOf(position: number): void {
    this.#lineStart = this.#text.lastIndexOf("\n", position) + 1;
    this.#lineEnd = endOfLine(this.#text, position);
    this.#begin(this.#lineStart);
  }

  #begin(start: number): void {
    this.#at = start;
    this.#start = start;
    this.#hasSlash = false;
  }

  #step(kind: number, at: number): void {
    if (kind === NAME) return;
    if (kind === SLASH) this.#hasSlash = true;
    else if (kind === WHITESPACE) {
      if (!this.#isPartOfPath(at)) this.#begin(at + 1);
    } else if (kind === QUOTE || kind === SEPARATOR) this.#begin(at + 1);
    else if (kind === OPENER) {
      if (!this.#hasSlash || kindAt(this.#text, at + 1) === SLASH) this.#begin(at + 1);
    } else if (!isDriveColon(this.#text, at)) {
      if (this.#text.startsWith("//", at + 1)) this.#begin(at + 3);
      else if (!this.#hasSlash || kindAt(this.#text, at + 1) === SLASH) this.#begin(at + 1);
    }
  }

  /** Whether the whitespace at the position is part of the path before it. */
  #isPartOfPath(at: number): boolean {
    const start = this.#start;
    if (kindAt(this.#text, at + 1) === SLASH) return false;
    if (at < this.#whitespaceUntil) return true;
    if (kindAt(this.#text, start) !== SLASH && !isDriveColon(this.#text, start + 1)) return false;
    this.#whitespaceUntil = endOfPathWithWhitespace(this.#text, this.#lineStart, start, at);
    return at < this.#whitespaceUntil;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** Whether the colon follows a drive letter: `C:/app`, `file:///C:/app`, `C:\app`. */
function isDriveColon(text: string, colon: number): boolean {
  const after = text.charCodeAt(colon + 1);
  if (after !== 47 && after !== 92) return false;
  return isLetter(text.charCodeAt(colon - 1)) && !isLetter(text.charCodeAt(colon - 2));
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

// What may precede the path in a frame whose path is not enclosed in quotes or parentheses.
const LEAD_IN = /^[ \t]*(?:#\d+ |at |from )?$/;

/** The end of an absolute path that continues after the whitespace at `at`; 0 if the whitespace ends the path. */
function endOfPathWithWhitespace(text: string, lineStart: number, start: number, at: number): number {
  const opener = start > lineStart ? text.charAt(start - 1) : "";
  if (opener === "(") {
    const end = indexOf(/[()"'`\n]/g, text, at);
    return text.charAt(end) === ")" ? end : 0;
  }
  if (opener === '"' || opener === "'" || opener === "`") {
    const end = indexOf(/["'`\n]/g, text, at);
    return text.charAt(end) === opener ? end : 0;
  }
  // Limit the length of the slice, because a line may be as long as the trace.
  if (start - lineStart > 40 || !LEAD_IN.test(text.slice(lineStart, start))) return 0;
  const end = indexOf(/[(:"'`\n]/g, text, at);
  return /^[(:]\d/.test(text.slice(end, end + 2)) ? end : 0;
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
