import { plainLine } from "../../shared/markdown/plain-text.ts";

/** Texts up to this length are read as a whole, longer ones around the hit. */
const LENGTH = 4_000;
const BEFORE = 1_000;

/** One line with the words around a position in a Markdown text, without its syntax. Reads whole lines where they are not too long. */
export function plainWindow(text: string, position: number): string {
  if (text.length <= LENGTH) return plainLine(text);
  const earliest = Math.max(0, Math.min(position - BEFORE, text.length - LENGTH));
  const line = text.indexOf("\n", earliest) + 1;
  const start = earliest > 0 && line > 0 && line <= position ? line : earliest;
  return plainLine(text.slice(start, start + LENGTH).toWellFormed());
}
