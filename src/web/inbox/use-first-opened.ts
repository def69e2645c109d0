import { useEffect, useRef, useState } from "react";
import { useSideBySide } from "../lists/use-side-by-side.ts";
import type { Group } from "./groups.ts";

type Options = {
  /** The first row; undefined until the view has loaded. */
  first: Group | undefined;
  isNothingOpen: boolean;
  view: string;
  /** Puts an id in the address. */
  onOpen: (id: number) => void;
};

/**
 * Opens the first row of a view when the view has loaded, if there is room beside the list. `opening` is its id until the address
 * has it, so that the row is open from the first frame. If it opened a moment later, a row that had got the focus would lose the keys.
 */
export function useFirstOpened({ first, isNothingOpen, view, onOpen }: Options) {
  const isSideBySide = useSideBySide();
  const [done, setDone] = useState<string>();
  const isDue = first !== undefined && done !== view;
  if (isDue && !(isNothingOpen && isSideBySide)) setDone(view);
  const opening = isDue && isNothingOpen && isSideBySide ? first.id : null;
  const latest = useRef(onOpen);
  useEffect(() => {
    latest.current = onOpen;
  });
  useEffect(() => {
    if (opening !== null) latest.current(opening);
  }, [opening]);
  return { opening, stayClosed: () => setDone(view) };
}
