import { useId, useImperativeHandle, useMemo } from "react";
import { useList } from "./use-list.ts";
import { useStepKeys } from "./use-list-keys.ts";

export type RowLinkProps = {
  "data-row": number;
  tabIndex: 0 | -1;
  onFocus: () => void;
};

type RowKeys = {
  /** The id of the element around the rows. */
  boxId: string;
  /** Spread it on the link of a row. */
  row: (index: number) => RowLinkProps;
  /** The row of the cursor; -1 if there is none. */
  cursor: number;
  /** Call it when a row is being deleted: the row that takes its place gets the focus. */
  refocus: () => void;
};

/** The shared list behavior for a short list that is rendered as a whole: one tab stop, and `J` and `K`. */
export function useRowKeys(count: number): RowKeys {
  const boxId = useId();
  const rows = useMemo(() => Array.from({ length: count }, (_, id) => ({ id })), [count]);
  const list = useList({ rows });
  useStepKeys(list, "item");
  useImperativeHandle(
    list.handle,
    () => {
      const box = () => document.getElementById(boxId);
      return {
        contains: (element) => box()?.contains(element) ?? false,
        focusRow: (id, { scroll } = { scroll: true }) =>
          box()?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: !scroll }),
        scrollToTop: () => box()?.scrollIntoView({ block: "start" }),
      };
    },
    [boxId],
  );
  return {
    boxId,
    cursor: list.current?.id ?? -1,
    refocus: () => {
      if (list.tabStop !== null) list.setCursor(list.tabStop);
      list.focusWhen(({ ids }) => ids.length < count);
    },
    row: (index) => ({
      "data-row": index,
      tabIndex: index === list.tabStop ? 0 : -1,
      onFocus: () => list.setCursor(index),
    }),
  };
}
