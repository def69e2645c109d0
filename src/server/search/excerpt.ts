/** Characters of an excerpt, the ellipses among them. */
const LENGTH = 200;
/** Of these as many stand before the hit. */
const BEFORE = 60;

/** One line of plain text around the first word that is found in it; else its beginning. */
export function excerptOf(text: string, words: string[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  const points = Array.from(line);
  if (points.length <= LENGTH) return line;
  const hit = Array.from(line.slice(0, firstHit(line, words))).length;
  // At the end of the text the window still is as long as it may be.
  const from = Math.max(0, Math.min(hit - BEFORE, points.length - LENGTH + 1));
  const start = from === 0 ? 0 : wordAfter(points, from, hit);
  const isCut = points.length - start > LENGTH - (start > 0 ? 1 : 0);
  const room = LENGTH - (start > 0 ? 1 : 0) - (isCut ? 1 : 0);
  const shown = points.slice(start, start + room).join("");
  return `${start > 0 ? "…" : ""}${shown.trim()}${isCut ? "…" : ""}`;
}

/** Where a word begins with one of these, or has it inside; 0 when none does. */
function firstHit(line: string, words: string[]): number {
  if (words.length === 0) return 0;
  const any = words.map((word) => RegExp.escape(word)).join("|");
  const begins = line.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})`, "iu"));
  return Math.max(0, begins === -1 ? line.search(new RegExp(any, "iu")) : begins);
}

/** The beginning of the next word, unless the hit comes before it. */
function wordAfter(points: string[], from: number, hit: number): number {
  const blank = points.indexOf(" ", from);
  return blank === -1 || blank >= hit ? from : blank + 1;
}
