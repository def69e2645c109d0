import { useRef, useState } from "react";
import type { ListHandle } from "./virtual-list.tsx";
import { nextRow } from "./next-row.ts";
import { useFocusSoon } from "./use-focus-soon.ts";

type Options<Row> = {
  rows: readonly Row[];
  /** The id that the address says is open. */
  opened: string | undefined;
  /** Puts an id in the address, or none. */
  show: (id: number | undefined) => void;
  /** The ids of the elements that have the focus where no row is in sight: the title of what is open, the words of an empty list. */
  standIns: { open: string; empty: string };
};

/** Where one is in a queue: the row the keys are at, what is open, what is ticked; and the ways from one row to the next. */
export function useQueue<Row extends { id: number }>({ rows, opened, show, standIns }: Options<Row>) {
  const list = useRef<ListHandle>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(NOBODY);
  const indexOf = (id: number | null | undefined) => rows.findIndex((row) => row.id === id);
  const openIndex = opened === undefined ? -1 : rows.findIndex(({ id }) => String(id) === opened);
  const activeIndex = openIndex === -1 ? Math.max(0, indexOf(focused)) : openIndex;
  const active: Row | undefined = rows[activeIndex];
  const standIn = opened === undefined ? standIns.empty : standIns.open;
  const { focusSoon, forget } = useFocusSoon({ list, rows, opened, standIn });

  return {
    list,
    openIndex,
    active,
    activeIndex,
    setFocused,
    focusSoon,
    ticked,
    tick: (id: number) =>
      setTicked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    untick: () => setTicked(NOBODY),
    goTo: (row: Row | undefined) => {
      if (row === undefined) return;
      forget();
      setFocused(row.id);
      if (opened !== undefined) show(row.id);
      list.current?.focusIndex(indexOf(row.id));
    },
    /** Nothing is open any more; the focus is back in the list. */
    close: (id: number | undefined = active?.id) => {
      setFocused(id ?? null);
      show(undefined);
      focusSoon(id, (shown) => shown.opened === undefined);
    },
    /** On from what was dealt with: it is gone from the list, or with `stay` is not. */
    leave: (ids: readonly number[], stay = false) => {
      const dealt = new Set(ids);
      const last = Math.max(-1, ...ids.map(indexOf));
      const after = rows.slice(last + 1).find(({ id }) => !dealt.has(id));
      const next = stay ? (after ?? rows[last]) : nextRow(rows, dealt, last);
      const leaving = stay ? [] : ids.filter((id) => indexOf(id) !== -1);
      setTicked((before) => new Set([...before].filter((id) => !dealt.has(id))));
      setFocused(next?.id ?? null);
      if (opened !== undefined) show(next?.id);
      focusSoon(
        next?.id,
        (shown) =>
          (opened === undefined || shown.opened === next?.id.toString()) &&
          !shown.rows.some(({ id }) => leaving.includes(id)),
      );
    },
  };
}

const NOBODY: ReadonlySet<number> = new Set();
