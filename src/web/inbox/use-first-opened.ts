import { useEffect, useRef } from "react";
import type { Group } from "./groups.ts";

/** Opens the first row of a view when the view has loaded, if there is room beside the list. */
export function useFirstOpened(
  first: Group | undefined,
  isNothingOpen: boolean,
  view: string,
  open: (id: number) => void,
) {
  const done = useRef<string>(undefined);
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    if (first === undefined || done.current === view) return;
    done.current = view;
    if (isNothingOpen && matchMedia(BESIDE).matches) latest.current(first.id);
  }, [first, isNothingOpen, view]);
}

/** Where the list and its open item are side by side. */
const BESIDE = "(min-width: 56.25rem)";
