import { useCallback, useState } from "react";
import { stored } from "../state/stored.ts";

type Draft = {
  text: string;
  setText: (text: string) => void;
  /** Empties the field, but keeps the stored draft until the server has the comment. */
  clear: () => void;
  /** Deletes the stored draft. */
  forget: () => void;
};

/**
 * Unsent text, stored in this browser so that it survives a reload. `place` (`issues:12:reply:5`) and person together
 * identify a draft.
 */
export function useDraft(person: number, place: string, start = ""): Draft {
  const key = keyOf(person, place);
  const [shown, show] = useState(() => ({ key, text: storedAt(key).read() || start }));
  let { text } = shown;
  // The component now shows another place, with a draft of its own.
  if (shown.key !== key) {
    text = storedAt(key).read() || start;
    show({ key, text });
  }
  const setText = useCallback(
    (next: string) => {
      show({ key, text: next });
      storedAt(key).write(next);
    },
    [key],
  );
  const clear = useCallback(() => show({ key, text: "" }), [key]);
  const forget = useCallback(() => storedAt(key).write(""), [key]);
  return { text, setText, clear, forget };
}

export const hasDraft = (person: number, place: string): boolean =>
  storedAt(keyOf(person, place)).read() !== "";

const keyOf = (person: number, place: string) => `draft:${person}:${place}`;

const storedAt = (key: string) => stored(key, (value) => (typeof value === "string" ? value : undefined), "");
