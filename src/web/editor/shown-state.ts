import type { TextState } from "./text-state.ts";

/** For tests: `a |b` has its caret before the b, and in `a [b] c` the b is selected. */
export function state(shown: string): TextState {
  const caret = shown.indexOf("|");
  if (caret !== -1) return { text: shown.replace("|", ""), start: caret, end: caret };
  const [, before = "", inner = "", after = ""] = /^([^]*?)\[([^]*)\]([^]*)$/.exec(shown) ?? [];
  return { text: before + inner + after, start: before.length, end: before.length + inner.length };
}

/** The inverse of `state`. `brackets` replaces `[]` where the text itself has these. */
export function shown({ text, start, end }: TextState, brackets = "[]"): string {
  const [open = "", close = ""] = brackets;
  const inner = start === end ? "|" : open + text.slice(start, end) + close;
  return text.slice(0, start) + inner + text.slice(end);
}
