import type { Candidate } from "./candidate.ts";
import { wordsOf } from "../../shared/search-words.ts";
import type { Terms } from "./terms.ts";

/** How well a candidate matches, best first. */
const KEY = 0;
const KEY_PREFIX = 1;
const WHOLE_TITLE = 2;
const IN_TITLE = 3;
const IN_TEXT = 4;

/** The best candidates without duplicates: by match, then newest first. */
export function bestCandidates(candidates: Candidate[], terms: Terms, limit: number): Candidate[] {
  const distinct = new Map(candidates.map((found) => [`${found.kind} ${found.id}`, found]));
  return [...distinct.values()]
    .map((found) => ({ found, match: matchOf(found, terms) }))
    .sort((a, b) => a.match - b.match || compare(b.found.at, a.found.at) || b.found.id - a.found.id)
    .slice(0, limit)
    .map(({ found }) => found);
}

function matchOf({ kind, key, title }: Candidate, { text, words, key: wanted, number }: Terms): number {
  const ownKey = key?.toLowerCase();
  if (ownKey === text) return KEY;
  if (kind === "issue" && wanted !== undefined && ownKey?.startsWith(text)) return KEY_PREFIX;
  if (kind === "issue" && number !== undefined && ownKey?.endsWith(`-${number}`)) return KEY_PREFIX;
  if (kind === "project" && words.length === 1 && ownKey?.startsWith(words[0] ?? "")) return KEY_PREFIX;
  const own = title?.toLowerCase();
  if (own === undefined) return IN_TEXT;
  if (own === text) return WHOLE_TITLE;
  // A class name is matched anywhere; in other titles, each search word must start a word.
  const titleWords = kind === "error_group" ? [] : wordsOf(own);
  const isIn = (word: string) =>
    kind === "error_group" ? own.includes(word) : titleWords.some((titleWord) => titleWord.startsWith(word));
  return words.every(isIn) ? IN_TITLE : IN_TEXT;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
