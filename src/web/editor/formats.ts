import { toggleMark, makeLink } from "./inline-edits.ts";
import { toggleHeading, toggleList, toggleQuote } from "./list-edits.ts";
import { FORMAT_KEYS, type FormatId } from "../keys/format-keys.ts";
import type { TextState } from "./text-state.ts";

/** What the toolbar's buttons and keys do to the text. */
export const FORMATS: Record<FormatId, (state: TextState) => TextState> = {
  bold: (state) => toggleMark(state, "**"),
  italic: (state) => toggleMark(state, "_"),
  link: makeLink,
  code: (state) => toggleMark(state, "`"),
  heading: (state) => toggleHeading(state, 2),
  number: (state) => toggleList(state, "number"),
  bullet: (state) => toggleList(state, "bullet"),
  task: (state) => toggleList(state, "task"),
  quote: toggleQuote,
};

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The format that a key stands for. Digits and `.` go by their place on the keyboard, because Shift changes them. */
export function formatOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Press): FormatId | undefined {
  if (altKey || ctrlKey === metaKey) return undefined;
  const place = code === "Period" ? "." : /^Digit(\d)$/.exec(code)?.[1];
  const stroke = shiftKey ? `mod+shift+${place ?? ""}` : `mod+${key.toLowerCase()}`;
  return FORMAT_IDS.find((id) => FORMAT_KEYS[id].keys === stroke);
}

const FORMAT_IDS = Object.keys(FORMAT_KEYS) as FormatId[];
