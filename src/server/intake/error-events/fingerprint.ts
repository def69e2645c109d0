import { hash } from "node:crypto";
import { hasStackFrame } from "./stack-frames.ts";

/**
 * The 32 bytes that say which error group of its environment an event belongs to: a hash of the exception class
 * and the normalised trace; of the class and the trace's first non-empty line when no line of it is a stack frame
 * (service specification, 4.7, rules 1 and 2). Depends on the trace only through its normalised form, so hosts that
 * differ in their installation prefix agree.
 */
export function fingerprint(exceptionClass: string, stackTrace: string): Buffer {
  const trace = normalizeTrace(stackTrace);
  const identity = hasStackFrame(trace) ? trace : firstLine(trace);
  // The length in front says where the class ends, whatever characters it holds.
  // SHA-512, cut: where the processor has no instructions for SHA-256, it is faster on long text.
  return hash("sha512", `${exceptionClass.length}\n${exceptionClass}\n${identity}`, "buffer").subarray(0, 32);
}

function firstLine(trace: string): string {
  const text = trace.trim();
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end).trimEnd();
}

/**
 * A trace without what differs between hosts that run the same code (service specification, 4.7, rule 1; decisions,
 * 5): line ends become `\n`; of each path everything before its last `vendor/` directory goes; `/var/www/` and
 * `/home/<user>/` go where a path starts. Normalising twice changes nothing more. One linear scan.
 *
 * A path starts at the start of a line and after a blank, a quote or one of `,;|<>`; after `://`, so that what
 * follows `file://` is a path and what follows `https://` starts with its host; after a colon followed by a slash
 * that is not a drive's; and after one of `([{=@:` when a slash follows or the path so far has none (`/app/[id]/a.js`
 * is one path). It ends where the next one starts. A blank is part of a path in three places, always of an absolute
 * one and never before a slash: between two equal quotes, between parentheses, and in a path that leads a frame and
 * is followed by its line number: `#0 /srv/my app/a.php(12)`, `from /srv/my app/a.rb:3`.
 */
export function normalizeTrace(trace: string): string {
  const text = trace.includes("\r") ? trace.replace(/\r\n?/g, "\n") : trace;
  return collapseVendors(text).replace(HOST_PREFIX, "");
}

// The prefix's own first slash is matched before looking back from it at what starts a path: the table below, with
// the one exception of a drive's colon, and `://`. Further slashes go with the prefix, or they could make a new one
// of the rest: `/var/www//home/u/`.
const HOST_PREFIX =
  /\/(?<=(?:^|[\t-\r "'`,;|<>([{=@]|(?<!(?:^|[^A-Za-z])[A-Za-z]):(?:\/\/)?)\/)(?:var\/www|home\/[^\t-\r "'`,;|<>([{=:/]+)\/+/g;

const NAME = 0;
const SLASH = 1;
const BLANK = 2;
const QUOTE = 3;
const SEPARATOR = 4;
const OPENER = 5;
const COLON = 6;

const KINDS = new Uint8Array(128);
for (const [characters, kind] of [
  ["/", SLASH],
  ["\t\n\v\f\r ", BLANK],
  ["\"'`", QUOTE],
  [",;|<>", SEPARATOR],
  ["([{=@", OPENER],
  [":", COLON],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** What a UTF-16 unit of the text is to a path; a unit outside ASCII, and none at all (NaN), is part of a name. */
function kindAt(text: string, index: number): number {
  return KINDS[text.charCodeAt(index)] ?? NAME;
}

/** Cuts each path down to its last `vendor/` directory. */
function collapseVendors(text: string): string {
  let hit = nextVendor(text, 0);
  if (hit === -1) return text;
  let paths: PathScanner | undefined;
  let out = "";
  let kept = 0;
  for (; hit !== -1; hit = nextVendor(text, hit + 7)) {
    let start = startOfPlainPath(text, hit, kept);
    if (start === -1) start = (paths ??= new PathScanner(text)).startOfPathAt(hit);
    // A start at or before what is kept: a further vendor directory of the path that was cut last.
    if (start > kept) out += text.slice(kept, start);
    kept = hit;
  }
  return out + text.slice(kept);
}

/** The next `vendor/` that is a directory inside a path; Windows paths often mix both slashes before it. */
function nextVendor(text: string, from: number): number {
  for (let at = text.indexOf("vendor/", from); at !== -1; at = text.indexOf("vendor/", at + 7)) {
    const before = text.charCodeAt(at - 1);
    if (before === 47 || before === 92) return at;
  }
  return -1;
}

/**
 * Where the path around a position starts, for most paths: those without blanks, brackets and colons before the
 * position, after something that starts a path wherever it stands. -1 when only a scan of the line can tell.
 * Looks back to `until` at most, or a path of vendor directories would be read once for each.
 */
function startOfPlainPath(text: string, position: number, until: number): number {
  let start = position;
  let kind = NAME;
  while (start > until && (kind = kindAt(text, start - 1)) <= SLASH) start--;
  if (start === until || kind === QUOTE || kind === SEPARATOR || text.charCodeAt(start - 1) === 10)
    return start;
  return kind !== COLON && kindAt(text, start) === SLASH ? start : -1;
}

/** Tells where the path around a position starts. Positions must be asked in ascending order: it only goes forward. */
class PathScanner {
  readonly #text: string;
  #lineStart = 0;
  #lineEnd: number;
  #at = 0;
  #start = 0;
  #hasSlash = false;
  /** Blanks before this position are part of the path. */
  #blanksUntil = 0;

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
    else if (kind === BLANK) {
      if (!this.#isPartOfPath(at)) this.#begin(at + 1);
    } else if (kind === QUOTE || kind === SEPARATOR) this.#begin(at + 1);
    else if (kind === OPENER) {
      if (!this.#hasSlash || kindAt(this.#text, at + 1) === SLASH) this.#begin(at + 1);
    } else if (!isDriveColon(this.#text, at)) {
      if (this.#text.startsWith("//", at + 1)) this.#begin(at + 3);
      else if (!this.#hasSlash || kindAt(this.#text, at + 1) === SLASH) this.#begin(at + 1);
    }
  }

  /** Whether the blank at a position is a part of the path it follows. */
  #isPartOfPath(blank: number): boolean {
    const start = this.#start;
    if (kindAt(this.#text, blank + 1) === SLASH) return false;
    if (blank < this.#blanksUntil) return true;
    if (kindAt(this.#text, start) !== SLASH && !isDriveColon(this.#text, start + 1)) return false;
    this.#blanksUntil = endOfPathWithBlanks(this.#text, this.#lineStart, start, blank);
    return blank < this.#blanksUntil;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** Whether the colon is a drive's: `C:/app`, `file:///C:/app`, `C:\app`; a single letter before, a slash after. */
function isDriveColon(text: string, colon: number): boolean {
  const after = text.charCodeAt(colon + 1);
  if (after !== 47 && after !== 92) return false;
  return isLetter(text.charCodeAt(colon - 1)) && !isLetter(text.charCodeAt(colon - 2));
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

// What may stand before the path of a frame whose path is not enclosed.
const LEAD_IN = /^[ \t]*(?:#\d+ |at |from )?$/;

/** Where an absolute path ends that goes on after a blank; 0 when the blank ends it. */
function endOfPathWithBlanks(text: string, lineStart: number, start: number, blank: number): number {
  const opener = start > lineStart ? text.charAt(start - 1) : "";
  if (opener === "(") {
    const end = indexOf(/[()"'`\n]/g, text, blank);
    return text.charAt(end) === ")" ? end : 0;
  }
  if (opener === '"' || opener === "'" || opener === "`") {
    const end = indexOf(/["'`\n]/g, text, blank);
    return text.charAt(end) === opener ? end : 0;
  }
  // Bounded, since a line may be as long as the trace.
  if (start - lineStart > 40 || !LEAD_IN.test(text.slice(lineStart, start))) return 0;
  const end = indexOf(/[(:"'`\n]/g, text, blank);
  return /^[(:]\d/.test(text.slice(end, end + 2)) ? end : 0;
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
