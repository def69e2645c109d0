import { caretAt, type TextState } from "./text-state.ts";

const PLACEHOLDER = /!\[Uploading [^\]\n]*…\]\(\)/g;

/** Stands in the text for a file that is being uploaded. Different for each file, even with the same name. */
export function placeholderFor(name: string, text: string): string {
  const plain = name.replaceAll(/[[\]\\`\s]+/g, " ").trim();
  for (let number = 1; ; number++) {
    const placeholder = `![Uploading ${plain}${number === 1 ? "" : ` (${number})`}…]()`;
    if (!text.includes(placeholder)) return placeholder;
  }
}

/** Whether files of the text are still being uploaded. */
export const isUploading = (text: string): boolean => text.search(PLACEHOLDER) !== -1;

/** Without the placeholders of uploads that ended with the page. */
export const withoutPlaceholders = (text: string): string => text.replaceAll(PLACEHOLDER, "");

/** An image is shown in the text; any other file is linked. */
export function linkTo(
  { filename, mime_type }: { filename: string; mime_type: string },
  url: string,
): string {
  const name = filename.replaceAll(/[[\]\\`]/g, String.raw`\$&`);
  return `${mime_type.startsWith("image/") ? "!" : ""}[${name}](${url})`;
}

/** Inserts at the caret, separated from the words beside it. Several parts go on separate lines. */
export function insertParts({ text, start, end }: TextState, parts: readonly string[]): TextState {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const joined = `${/\S$/.test(before.slice(-1)) ? " " : ""}${parts.join("\n")}${/^\S/.test(after) ? " " : ""}`;
  return caretAt(before + joined + after, start + joined.length);
}

/** Replaces the first occurrence and keeps the selection on the same text. */
export function replaceOnce(state: TextState, from: string, to: string): TextState {
  const at = state.text.indexOf(from);
  if (at === -1) return state;
  const moved = (place: number) =>
    place <= at
      ? place
      : place >= at + from.length
        ? place + to.length - from.length
        : at + Math.min(place - at, to.length);
  return {
    text: state.text.slice(0, at) + to + state.text.slice(at + from.length),
    start: moved(state.start),
    end: moved(state.end),
  };
}
