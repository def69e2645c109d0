import { type TextState, touchedLines } from "./text-state.ts";

/** Text to insert as lines of their own, with the part to select, such as a table's first heading. */
export type Block = { lines: readonly string[]; select: { line: number; from: number; to: number } };

export const TABLE: Block = {
  lines: ["| Column | Column |", "| --- | --- |", "|  |  |"],
  select: { line: 0, from: 2, to: 8 },
};
/** The caret is where the language is named. */
export const CODE_BLOCK: Block = { lines: ["```", "", "```"], select: { line: 0, from: 3, to: 3 } };
export const DIVIDER: Block = { lines: ["---", "", ""], select: { line: 2, from: 0, to: 0 } };

/** Replaces the line of the caret by a block. Blank lines separate it, because `---` below a line makes that a heading. */
export function insertBlock(state: TextState, { lines, select }: Block): TextState {
  const { from, to } = touchedLines(state);
  const before = state.text.slice(0, from);
  const after = state.text.slice(to);
  const gapBefore = before === "" || before.endsWith("\n\n") ? "" : "\n";
  const gapAfter = after.trim() === "" || after.startsWith("\n\n") || lines.at(-1) === "" ? "" : "\n";
  const at =
    from +
    gapBefore.length +
    lines.slice(0, select.line).reduce((length, line) => length + line.length + 1, 0);
  return {
    text: before + gapBefore + lines.join("\n") + gapAfter + after,
    start: at + select.from,
    end: at + select.to,
  };
}
