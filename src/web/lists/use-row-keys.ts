import { useEffect, useId, useReducer, useRef, useState } from "react";
import { useCommand } from "../keys/commands.ts";

export type RowLinkProps = {
  "data-row": number;
  tabIndex: 0 | -1;
  onFocus: () => void;
  onBlur: () => void;
};

type RowKeys = {
  /** The id of the element around the rows. */
  boxId: string;
  /** What the link of a row takes. */
  row: (index: number) => RowLinkProps;
  /** The row that has the focus; -1 when none has. */
  focusedIndex: number;
  /** Once a row is gone: the one that took its place gets the focus. */
  refocus: () => void;
};

/** One place in the tab order for a short list, J and K within it. Enter is the link's own. */
export function useRowKeys(count: number): RowKeys {
  const boxId = useId();
  const [active, setActive] = useState(0);
  const [focused, setFocused] = useState(false);
  const at = Math.min(active, Math.max(0, count - 1));
  const focus = (index: number) =>
    document.getElementById(boxId)?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus();
  // How many rows there were with the one that was deleted: it may be gone already, or still be there for a moment.
  const losing = useRef<number>(undefined);
  const [, look] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (losing.current === undefined || count >= losing.current) return;
    losing.current = undefined;
    focus(at);
  });
  const step = (by: 1 | -1) =>
    // The first press only goes into the list.
    focus(focused ? Math.min(count - 1, Math.max(0, at + by)) : at);
  useCommand("next", () => step(1), { enabled: count > 0 });
  useCommand("previous", () => step(-1), { enabled: count > 0 });
  return {
    boxId,
    focusedIndex: focused ? at : -1,
    refocus: () => {
      losing.current = count;
      look();
    },
    row: (index) => ({
      "data-row": index,
      tabIndex: index === at ? 0 : -1,
      onFocus: () => {
        setActive(index);
        setFocused(true);
      },
      onBlur: () => setFocused(false),
    }),
  };
}
