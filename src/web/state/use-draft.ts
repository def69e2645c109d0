import { useCallback, useState } from "react";
import { returnedTexts, textDraft } from "./drafts.ts";
import { useStore } from "./store.ts";

type Draft = {
  text: string;
  setText: (text: string) => void;
  /** Empties the field, but keeps the stored draft until the server has the comment. */
  clear: () => void;
  /** Deletes the stored draft. */
  forget: () => void;
};

/** A text field whose content is a draft. `start` is its text while there is no draft. */
export function useDraft(person: number, place: string, start = ""): Draft {
  const returned = useStore(returnedTexts).get(place) ?? 0;
  const key = `${person}:${place}:${returned}`;
  const [shown, show] = useState(() => ({ key, text: textDraft(person, place).read() || start }));
  let { text } = shown;
  // The component now shows another place, with a draft of its own, or text was returned to this one.
  if (shown.key !== key) {
    text = textDraft(person, place).read() || start;
    show({ key, text });
  }
  const setText = useCallback(
    (next: string) => {
      show({ key, text: next });
      textDraft(person, place).write(next === start ? "" : next);
    },
    [key, person, place, start],
  );
  const clear = useCallback(() => show({ key, text: "" }), [key]);
  const forget = useCallback(() => textDraft(person, place).write(""), [person, place]);
  return { text, setText, clear, forget };
}

export const hasDraft = (person: number, place: string): boolean => textDraft(person, place).read() !== "";
