/** The content of a text field and its selection, in UTF-16 code units. */
export type TextState = { text: string; start: number; end: number };

/** The lines that the selection touches: where they begin and end, and their text. */
export function touchedLines({ text, start, end }: TextState): { from: number; to: number; lines: string[] } {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  // A selection that ends at the beginning of a line does not include that line.
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const next = text.indexOf("\n", last);
  const to = next === -1 ? text.length : next;
  return { from, to, lines: text.slice(from, to).split("\n") };
}

/** Replaces whole lines and selects them; without a selection, the caret keeps its distance to the end of its line. */
export function replaceLines(state: TextState, lines: readonly string[]): TextState {
  const { from, to } = touchedLines(state);
  const joined = lines.join("\n");
  const text = state.text.slice(0, from) + joined + state.text.slice(to);
  if (state.start !== state.end) return { text, start: from, end: from + joined.length };
  const caret = Math.max(from, from + joined.length - (to - state.end));
  return { text, start: caret, end: caret };
}

export const caretAt = (text: string, caret: number): TextState => ({ text, start: caret, end: caret });

/** Whether the position is inside a fenced code block. */
export function isInFence(text: string, position: number): boolean {
  const lines = text.slice(0, text.lastIndexOf("\n", position - 1) + 1).split("\n");
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark === null) continue;
    const [, marks = "", info = ""] = mark;
    if (fence === undefined) fence = marks;
    else if (marks.startsWith(fence) && info.trim() === "") fence = undefined;
  }
  return fence !== undefined;
}

/** Whether the position is between backticks within its line. */
export function isInCode(text: string, position: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return (line.match(/`+/g)?.length ?? 0) % 2 === 1;
}
