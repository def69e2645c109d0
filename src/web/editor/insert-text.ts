import type { TextState } from "./text-state.ts";

/** Adds files to the text. */
export type TakeFiles = (files: readonly File[]) => void;

export const stateOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): TextState => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

/**
 * Gives a focused field another text and selection. Only what differs is replaced, and as if it was typed, so that the
 * browser's own undo takes it back. Setting `value` would empty the undo history.
 */
export function applyState(field: HTMLTextAreaElement, next: TextState): void {
  const change = difference(field.value, next.text);
  if (change !== null) {
    field.setSelectionRange(change.from, change.to);
    // Deprecated, but no other way to edit keeps the undo history, and all browsers support it.
    const isDone =
      document.activeElement === field &&
      (change.insert === ""
        ? document.execCommand("delete")
        : document.execCommand("insertText", false, change.insert));
    if (!isDone) {
      field.setRangeText(change.insert, change.from, change.to, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  field.setSelectionRange(next.start, next.end);
}

/** The part of `before` to replace, and by what; null if the texts are equal. */
export function difference(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  if (isHighSurrogate(before, from - 1) || isHighSurrogate(after, from - 1)) from--;
  let tail = 0;
  while (tail < shorter - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (isHighSurrogate(before, before.length - tail - 1)) tail--;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/** Half of an emoji must not be replaced alone. */
const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text.charAt(at));
