import { fenced, fenceFor } from "../../../../shared/markdown/fenced.ts";

/** A part of a Markdown text, in the order of importance. */
export type Part =
  /** Markdown of our own, which is left out as a whole if there is no room. */
  | { text: string }
  /** A text from outside, in a code fence. Cut at the end of a line; `noun` names it in the note: "Trace". */
  | { noun: string; outside: string }
  /** Items with a heading of our own and a text from outside each, of which the first are shown. `noun`: "comments". */
  | { nouns: string; total: number; items: { heading: string; outside: string }[] };

/** Characters for the notes about what is missing. */
const NOTES = 160;

/** How long a text may be. */
export type Budget = {
  maxCharacters: number;
  /** The reader can ask for more with `max_tokens`, so the text ends with the value that is enough. */
  hasMaxTokens?: boolean;
};

/** A text of at most `maxCharacters`, which ends with what is missing because of that. */
export function writeMarkdown(parts: readonly Part[], { maxCharacters, hasMaxTokens }: Budget): string {
  const blocks: string[] = [];
  const notes = new Set<string>();
  let room = maxCharacters - NOTES;
  for (const part of parts) {
    const { text, missing } = fit(part, room);
    if (text !== "") blocks.push(text);
    if (missing !== undefined) notes.add(missing);
    room -= text.length + 2;
  }
  const hint = hasMaxTokens && notes.size > 0 ? hintFor(lengthOf(parts), maxCharacters) : "";
  const end = `${[...notes].join("\n")}${hint}`;
  return `${[...blocks, end].join("\n\n").trimEnd()}\n`.slice(0, maxCharacters);
}

/** Characters that count as one token of a language model. */
export const TOKEN_CHARACTERS = 4;

export const MAX_TOKENS = 20_000;

/** " Ask with max_tokens 8000": enough for a text of this length. Empty if more is not possible. */
export function hintFor(length: number, maxCharacters: number): string {
  const enough = Math.ceil((length + NOTES) / TOKEN_CHARACTERS / 1_000) * 1_000;
  const maxTokens = Math.min(enough, MAX_TOKENS);
  return maxTokens * TOKEN_CHARACTERS > maxCharacters ? ` Ask with max_tokens ${maxTokens}` : "";
}

/** The length of the whole text. */
function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + fit(part, Infinity).text.length + 2, 0);
}

type Fitted = { text: string; missing?: string | undefined };

function fit(part: Part, room: number): Fitted {
  if ("text" in part)
    return part.text.length <= room ? part : { text: "", missing: "Some facts are left out." };
  return "items" in part ? fitItems(part, room) : fitOutside(part, room);
}

/** The first lines that fit. A first line that is too long is cut. */
function fitOutside({ noun, outside }: { noun: string; outside: string }, room: number): Fitted {
  const text = outside.trimEnd();
  if (text.trim() === "") return { text: "" };
  // Two fences and the line ends beside them.
  const inside = room - 2 * fenceFor(text).length - 2;
  if (text.length <= inside) return { text: fenced(text) };
  const lines = text.split("\n");
  let length = 0;
  const shown = lines.findIndex((line) => (length += line.length + 1) > inside + 1);
  const more = lines.length - shown;
  const missing = `${noun} cut: ${more.toLocaleString("en")} more ${more === 1 ? "line" : "lines"}.`;
  const start = shown === 0 ? text.slice(0, Math.max(0, inside)) : lines.slice(0, shown).join("\n");
  return start === "" ? { text: "", missing } : { text: fenced(start.toWellFormed()), missing };
}

function fitItems({ nouns, total, items }: Extract<Part, { nouns: string }>, room: number): Fitted {
  const blocks: string[] = [];
  let left = room;
  for (const { heading, outside } of items) {
    const block = outside.trim() === "" ? heading : `${heading}\n\n${fenced(outside.trimEnd())}`;
    if (block.length + 2 > left) break;
    blocks.push(block);
    left -= block.length + 2;
  }
  const missing = blocks.length < total ? `Showing ${blocks.length} of ${total} ${nouns}.` : undefined;
  return { text: blocks.join("\n\n"), missing };
}
