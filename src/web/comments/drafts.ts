import { useCallback, useState } from "react";

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
  const [shown, show] = useState(() => ({ key, text: stored(key) || start }));
  let { text } = shown;
  // The same field at another place: what was written there, not here.
  if (shown.key !== key) {
    text = stored(key) || start;
    show({ key, text });
  }
  const setText = useCallback(
    (next: string) => {
      show({ key, text: next });
      store(key, next);
    },
    [key],
  );
  const clear = useCallback(() => show({ key, text: "" }), [key]);
  const forget = useCallback(() => store(key, ""), [key]);
  return { text, setText, clear, forget };
}

export const hasDraft = (person: number, place: string): boolean => stored(keyOf(person, place)) !== "";

const keyOf = (person: number, place: string) => `draft:${person}:${place}`;

function stored(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function store(key: string, text: string) {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is closed or full: the text lives as long as the page.
  }
}
