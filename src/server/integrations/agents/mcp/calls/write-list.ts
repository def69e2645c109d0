import { fenced } from "../../../../../shared/markdown/fenced.ts";
import { hintFor, type Budget } from "../../markdown/write-markdown.ts";

/** An entry of a list: a line of our own, and a text from outside or nothing. */
export type Entry = { heading: string; outside?: string | undefined };

/** Characters for the last line. */
const NOTE = 300;

/** Characters of a text from outside in a list, so that one entry fits into the smallest budget. */
const MAX_OUTSIDE = 100;

/** How many of the entries fit. At least one, if there is one. */
export function countFitting(entries: readonly Entry[], { maxCharacters }: Budget): number {
  let room = maxCharacters - NOTE;
  const excess = entries.findIndex((entry) => (room -= blockOf(entry).length + 2) < 0);
  return excess === -1 ? entries.length : Math.max(1, excess);
}

/** The entries as Markdown. */
export const writeEntries = (entries: readonly Entry[], { maxCharacters }: Budget): string =>
  entries
    .map(blockOf)
    .map((block, n) => (block.length + NOTE > maxCharacters && n === 0 ? (entries[0]?.heading ?? "") : block))
    .join("\n\n");

/** A list without pages. It ends with how many entries are missing, and how to get them. */
export function writeShortList(entries: readonly Entry[], nouns: string, budget: Budget): string {
  if (entries.length === 0) return `No ${nouns} found.\n`;
  const count = countFitting(entries, budget);
  const text = writeEntries(entries.slice(0, count), budget);
  if (count === entries.length) return `${text}\n`;
  const hint = hintFor(writeEntries(entries, budget).length, budget.maxCharacters);
  return `${text}\n\nShowing ${count} of ${entries.length}.${hint}\n`;
}

function blockOf({ heading, outside }: Entry): string {
  if (outside === undefined || outside.trim() === "") return heading;
  return `${heading}\n\n${fenced(shortened(outside.trim(), MAX_OUTSIDE))}`;
}

/** The beginning of a text, with a sign that there is more. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
