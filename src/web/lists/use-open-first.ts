import { useEffect, useRef, useState } from "react";
import type { RowId } from "./list-state.ts";
import { useSideBySide } from "./use-side-by-side.ts";

type Options = {
  rows: readonly { id: RowId }[];
  /** The row that the address names; null if it names none. */
  named: RowId | null;
  /** Puts a row in the address. Not called while `paused`, such as during a search, which changes the address as well. */
  onOpen: (id: RowId) => void;
  paused: boolean;
};

/**
 * Opens the first row if the address names none, where the list and the open row are side by side. Once the user has
 * closed a row, which `stayClosed` says, nothing opens by itself until the page is left.
 */
export function useOpenFirst({ rows, named, onOpen, paused }: Options) {
  const [isClosed, setClosed] = useState(false);
  const isSideBySide = useSideBySide();
  const first = named === null && isSideBySide && !isClosed ? (rows[0]?.id ?? null) : null;
  const latest = useRef(onOpen);
  useEffect(() => {
    latest.current = onOpen;
  });
  useEffect(() => {
    if (first !== null && !paused) latest.current(first);
  }, [first, paused]);
  return { opened: named ?? first, stayClosed: () => setClosed(true) };
}
