import type { Candidate } from "./candidate.ts";
import { wordsOf, type Terms } from "./terms.ts";

const KEY = 0;
const KEY_BEGINS = 1;
const WHOLE_TITLE = 2;
const IN_TITLE = 3;
const ELSEWHERE = 4;

/** The best of them, each once: the closest first, among equals the newest. */
export function closest(candidates: Candidate[], terms: Terms, limit: number): Candidate[] {
  const once = new Map(candidates.map((found) => [`${found.kind} ${found.id}`, found]));
  return [...once.values()]
    .map((found) => ({ found, closeness: closeness(found, terms) }))
    .sort((a, b) => a.closeness - b.closeness || compare(b.found.at, a.found.at) || b.found.id - a.found.id)
    .slice(0, limit)
    .map(({ found }) => found);
}

function closeness({ kind, key, title }: Candidate, { text, words, key: wanted, number }: Terms): number {
  const ownKey = key?.toLowerCase();
  if (ownKey === text) return KEY;
  if (kind === "issue" && wanted !== undefined && ownKey?.startsWith(text)) return KEY_BEGINS;
  if (kind === "issue" && number !== undefined && ownKey?.endsWith(`-${number}`)) return KEY_BEGINS;
  if (kind === "project" && words.length === 1 && ownKey?.startsWith(words[0] ?? "")) return KEY_BEGINS;
  const own = title?.toLowerCase();
  if (own === undefined) return ELSEWHERE;
  if (own === text) return WHOLE_TITLE;
  // A class name is one long word; of a text each word has to begin one.
  const titleWords = kind === "error_group" ? [] : wordsOf(own);
  const isIn = (word: string) =>
    kind === "error_group" ? own.includes(word) : titleWords.some((one) => one.startsWith(word));
  return words.every(isIn) ? IN_TITLE : ELSEWHERE;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
