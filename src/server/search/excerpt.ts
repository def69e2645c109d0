/** The maximum length of an excerpt in code points, including ellipses. */
const LENGTH = 200;
/** Code points to show before the hit. */
const BEFORE = 60;

/** Detects text that may contain Markdown syntax. Other text is not parsed. */
const SYNTAX = /[*_`~<>|#&\\[\]]|^[ \t]*(?:[-+=]|\d{1,9}[.)])/m;

/** Like `excerptOf`, for the words of a Markdown text without its syntax. */
export async function excerptOfMarkdown(text: string, words: string[]): Promise<string> {
  if (!SYNTAX.test(text)) return excerptOf(text, words);
  // Loaded on first use, which shortens the start of the server.
  const { plainWindow } = await import("./plain-window.ts");
  return excerptOf(plainWindow(text, firstHit(text, words)), words);
}

/** One line of plain text around the first hit, or the beginning of the text if there is none. */
export function excerptOf(text: string, words: string[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  const points = Array.from(line);
  if (points.length <= LENGTH) return line;
  const hit = Array.from(line.slice(0, firstHit(line, words))).length;
  // Near the end of the text, start earlier to keep the excerpt at full length.
  const from = Math.max(0, Math.min(hit - BEFORE, points.length - LENGTH + 1));
  const start = from === 0 ? 0 : wordAfter(points, from, hit);
  const isCut = points.length - start > LENGTH - (start > 0 ? 1 : 0);
  const room = LENGTH - (start > 0 ? 1 : 0) - (isCut ? 1 : 0);
  // Drop a separator that was cut in half at either end.
  const shown = points
    .slice(start, start + room)
    .join("")
    .trim()
    .replace(/^· | ·$/g, "");
  return `${start > 0 ? "…" : ""}${shown}${isCut ? "…" : ""}`;
}

/** The index of the first word that starts with one of `words`, else of the first that contains one, else 0. */
function firstHit(line: string, words: string[]): number {
  if (words.length === 0) return 0;
  const any = words.map((word) => RegExp.escape(word)).join("|");
  const begins = line.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})`, "iu"));
  return Math.max(0, begins === -1 ? line.search(new RegExp(any, "iu")) : begins);
}

/** The start of the next word, unless the hit comes before it. */
function wordAfter(points: string[], from: number, hit: number): number {
  const blank = points.indexOf(" ", from);
  return blank === -1 || blank >= hit ? from : blank + 1;
}
