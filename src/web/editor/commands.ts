import { CODE_BLOCK, DIVIDER, insertBlock, TABLE } from "./block-edits.ts";
import { toggleHeading, toggleList, toggleQuote } from "./list-edits.ts";
import type { TextState } from "./text-state.ts";

/** What can be inserted by typing `/` at the beginning of a line. */
export type Command = {
  id: string;
  label: string;
  /** Other words to find it by. */
  words: string;
  run: (state: TextState) => TextState;
};

export const COMMANDS: readonly Command[] = [
  { id: "heading", label: "Heading", words: "title h1", run: (state) => toggleHeading(state, 2) },
  { id: "subheading", label: "Subheading", words: "small h2", run: (state) => toggleHeading(state, 3) },
  { id: "bullet", label: "List", words: "bullets ul", run: (state) => toggleList(state, "bullet") },
  { id: "number", label: "Numbered list", words: "ordered ol", run: (state) => toggleList(state, "number") },
  {
    id: "task",
    label: "Task list",
    words: "todo checkbox checklist",
    run: (state) => toggleList(state, "task"),
  },
  { id: "quote", label: "Quote", words: "blockquote citation", run: toggleQuote },
  {
    id: "code",
    label: "Code block",
    words: "pre fence snippet",
    run: (state) => insertBlock(state, CODE_BLOCK),
  },
  { id: "table", label: "Table", words: "grid columns rows", run: (state) => insertBlock(state, TABLE) },
  {
    id: "divider",
    label: "Divider",
    words: "line rule separator hr",
    run: (state) => insertBlock(state, DIVIDER),
  },
];

/** Commands with a word that starts with the query. */
export function commandsMatching(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase();
  return commands.filter(({ label, words }) =>
    `${label} ${words}`
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(wanted)),
  );
}
