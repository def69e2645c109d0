import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { FirstFrameContext } from "../kit/after-first-frame.ts";
import { cx } from "../kit/cx.ts";
import { type Lines, useRowHeight } from "../kit/density.ts";
import { RowMotion } from "./row-motion.ts";
import { useFirstFramePainted } from "../kit/use-first-frame-painted.ts";
import type { List } from "./use-list.ts";

/** Identifies a row. Only numbers take the focus: the heading of a group has a string. */
type RowKey = string | number;

/** Spread it on the focusable element of a row. */
export type ListRowProps = {
  "data-row": RowKey;
  tabIndex: 0 | -1;
  onFocus: (event: FocusEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

type Props<T> = {
  items: readonly T[];
  itemKey: (item: T) => RowKey;
  /** How many lines of text each row has, which determines its height. */
  lines: Lines;
  /** What the rows show, as in live changes. Rows that somebody else changes are tinted for a moment. */
  kind?: string;
  label: string;
  list: Pick<List<{ id: number }>, "tabStop" | "setCursor" | "step" | "handle">;
  /** Whether more items can be loaded. */
  hasMore?: boolean;
  /** Called, possibly often, while the rows in view are near the end. */
  onNearEnd?: () => void;
  /** One row. Spread `row` on what takes the focus in it: the `Row`, or the link of its title. */
  renderRow: (item: T, row: ListRowProps) => ReactNode;
  className?: string;
};

/** Rendered beyond the edges, so that scrolling shows no blank area. */
const OVERSCAN_PX = 320;

/** The header above most lists. */
const HEADER_PX = 128;

/** When only this many rows are left below, more are loaded, so that scrolling rarely waits for them. */
const NEAR_END = 100;

/**
 * A list of any length that renders only the rows in view. It scrolls by itself, so it needs a height from around it.
 * It has one tab stop; the arrow keys go from row to row.
 */
export function VirtualList<T>({
  items,
  itemKey,
  lines,
  kind,
  label,
  list: { tabStop, setCursor, step, handle },
  hasMore = false,
  onNearEnd,
  renderRow,
  className,
}: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(lines);
  const isFirstFramePainted = useFirstFramePainted();
  const tabStopIndex = items.findIndex((item) => itemKey(item) === tabStop);
  // oxlint-disable-next-line react/incompatible-library -- its rows are never memoized
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    // The rows of the first render, until the list is measured.
    initialRect: { width: 0, height: Math.max(0, innerHeight - HEADER_PX) },
    estimateSize: () => rowHeight,
    overscan: isFirstFramePainted ? Math.ceil(OVERSCAN_PX / rowHeight) : 0,
    // The tab stop is rendered even when it is scrolled out of view.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (tabStopIndex === -1 || indexes.includes(tabStopIndex)) return indexes;
      return [...indexes, tabStopIndex].sort((a, b) => a - b);
    },
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item);
    },
  });
  const measuredHeight = useRef(rowHeight);
  useEffect(() => {
    if (measuredHeight.current === rowHeight) return;
    measuredHeight.current = rowHeight;
    virtual.measure();
  }, [virtual, rowHeight]);
  const isNearEnd = (virtual.range?.endIndex ?? 0) >= items.length - NEAR_END;
  useEffect(() => {
    if (hasMore && isNearEnd) onNearEnd?.();
  }, [hasMore, isNearEnd, onNearEnd]);
  useImperativeHandle(handle, () => {
    const find = (id: number) => box.current?.querySelector<HTMLElement>(`[data-row="${id}"]`);
    return {
      contains: (element) => box.current?.contains(element) ?? false,
      scrollToTop: () => virtual.scrollToIndex(0),
      focusRow(id, { scroll } = { scroll: true }) {
        const index = items.findIndex((item) => itemKey(item) === id);
        if (index === -1) return;
        if (scroll) virtual.scrollToIndex(index);
        const row = find(id);
        if (row) row.focus({ preventScroll: true });
        else
          requestAnimationFrame(() => requestAnimationFrame(() => find(id)?.focus({ preventScroll: true })));
      },
    };
  }, [virtual, items, itemKey]);

  const rowProps = useRowProps({ setCursor, step });
  return (
    <div
      ref={box}
      className={cx(
        // Where the page scrolls, the list has its own height: it renders only the rows in view.
        "min-h-0 flex-1 overflow-y-auto overscroll-contain short:h-[calc(100dvh-48px)] short:flex-none",
        className,
      )}
    >
      <RowMotion region={box} order={items} kind={kind} />
      <div role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
        <FirstFrameContext value={!isFirstFramePainted}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            const id = itemKey(item);
            return (
              <div
                key={key}
                role="listitem"
                aria-setsize={hasMore ? -1 : items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                {renderRow(item, rowProps(id, id === tabStop ? 0 : -1))}
              </div>
            );
          })}
        </FirstFrameContext>
      </div>
    </div>
  );
}

/** The props of a row: the same object until its tab stop changes, so that a memoized row does not render for the others. */
function useRowProps(list: Pick<List<{ id: number }>, "setCursor" | "step">) {
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  const [rowProps] = useState(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      latest.current.step(event.key === "ArrowDown" ? 1 : -1);
    };
    const known = new Map<string, ListRowProps>();
    return (id: RowKey, tabIndex: 0 | -1): ListRowProps => {
      const key = `${typeof id} ${id} ${tabIndex}`;
      const row = known.get(key) ?? {
        "data-row": id,
        tabIndex,
        onFocus: (event: FocusEvent) => {
          if (event.target === event.currentTarget && typeof id === "number") latest.current.setCursor(id);
        },
        onKeyDown,
      };
      known.set(key, row);
      return row;
    };
  });
  return rowProps;
}
