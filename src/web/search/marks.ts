import type { SearchKind } from "../../shared/search.ts";
import { wordsOf } from "../../shared/search-words.ts";

/** A part of a text, and whether the query matches it. */
export type Part = { text: string; isMatch: boolean };

/**
 * Splits a text into what matches the words of the query and what does not. Matches beside each other are one part, so
 * that no sliver of the background is between their marks. As on the server, case is ignored, and a word matches at the
 * beginning of words; in class names and messages of errors, and in projects, it matches anywhere.
 */
export function partsOf(text: string, query: string, kind: SearchKind): Part[] {
  const words = wordsOf(query).map(escaped);
  if (words.length === 0) return [{ text, isMatch: false }];
  // Longer words first: otherwise "cart" would end a match of "carton".
  const any = words.toSorted((a, b) => b.length - a.length).join("|");
  const isAnywhere = kind === "error_group" || kind === "project";
  const match = isAnywhere ? `(?:${any})` : `(?<![\\p{L}\\p{N}])(?:${any})`;
  const pattern = new RegExp(`${match}(?:\\s*${match})*`, "giu");
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: found, isMatch: true });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
