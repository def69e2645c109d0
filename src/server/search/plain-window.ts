import { plainLine } from "../../shared/markdown/plain-text.ts";

/** Characters. Longer texts are read only around the hit. */
const LENGTH = 4_000;
const BEFORE = 1_000;

/** The words around a position in a Markdown text as one line, without its syntax. Reads whole lines unless they are too long. */
export function plainWindow(text: string, position: number): string {
  if (text.length <= LENGTH) return plainLine(text);
  const earliest = Math.max(0, Math.min(position - BEFORE, text.length - LENGTH));
  const line = text.indexOf("\n", earliest) + 1;
  const start = earliest > 0 && line > 0 && line <= position ? line : earliest;
  return plainLine(text.slice(start, start + LENGTH).toWellFormed());
}
