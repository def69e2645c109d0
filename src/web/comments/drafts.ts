import { useCallback, useState } from "react";
import { stored } from "../state/stored.ts";

type Draft = {
  text: string;
  setText: (text: string) => void;
  /** Empties the field; what was stored stays until it is known to have arrived. */
  clear: () => void;
  /** It has arrived. */
  forget: () => void;
};

/**
 * A text that is being written, kept on this device until it is sent: it survives a reload, and belongs to its place
 * (`issues:12:reply:5`) and person alone.
 */
export function useDraft(person: number, place: string, start = ""): Draft {
  const key = keyOf(person, place);
  const [shown, show] = useState(() => ({ key, text: keptFor(key).read() || start }));
  let { text } = shown;
  // The same field at another place: what was written there, not here.
  if (shown.key !== key) {
    text = keptFor(key).read() || start;
    show({ key, text });
  }
  const setText = useCallback(
    (next: string) => {
      show({ key, text: next });
      keptFor(key).write(next);
    },
    [key],
  );
  const clear = useCallback(() => show({ key, text: "" }), [key]);
  const forget = useCallback(() => keptFor(key).write(""), [key]);
  return { text, setText, clear, forget };
}

export const hasDraft = (person: number, place: string): boolean =>
  keptFor(keyOf(person, place)).read() !== "";

const keyOf = (person: number, place: string) => `draft:${person}:${place}`;

const keptFor = (key: string) => stored(key, (value) => (typeof value === "string" ? value : undefined), "");
