import {
  type FocusEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { cx } from "../kit/cx.ts";

export type ListHandle = {
  /** Brings a row into sight, moving as little as possible. */
  scrollToIndex: (index: number) => void;
  /** The same, and gives it the focus. */
  focusIndex: (index: number) => void;
};

/** What the focusable element of a row takes: its place in the list, its focus. */
export type ListRowProps = { "data-index": number; tabIndex: 0 | -1; onFocus: (event: FocusEvent) => void };

type Props<T> = {
  items: readonly T[];
  itemKey: (item: T) => string | number;
  /** Of every row, in pixels. */
  rowHeight: number;
  label: string;
  /** The row that Tab reaches; the page's keys move it. */
  activeIndex: number;
  onActiveChange: (index: number) => void;
  /** One row. `row` is spread on what takes the focus in it: the `Row`, or the link of its title. */
  renderRow: (item: T, index: number, row: ListRowProps) => ReactNode;
  handle?: Ref<ListHandle>;
  className?: string;
};

/** What is rendered beyond the edges, so that nothing is blank while one scrolls. */
const OVERSCAN_PX = 320;

/**
 * A list of any length of which only what is in sight is rendered. It scrolls by itself, so it needs a height from
 * around it. The whole has one place in the tab order; arrows are the page's (`J` and `K`, and ↑ ↓).
 */
export function VirtualList<T>({
  items,
  itemKey,
  rowHeight,
  label,
  activeIndex,
  onActiveChange,
  renderRow,
  handle,
  className,
}: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const isOnScreen = useFrameLater();
  // oxlint-disable-next-line react/incompatible-library -- the rows it gives are never kept
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: isOnScreen ? Math.ceil(OVERSCAN_PX / rowHeight) : 0,
    // The row that Tab reaches is there wherever one has scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (activeIndex < 0 || activeIndex >= items.length || indexes.includes(activeIndex)) return indexes;
      return [...indexes, activeIndex].sort((a, b) => a - b);
    },
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item);
    },
  });
  useImperativeHandle(handle, () => {
    const scrollToIndex = (index: number) => virtual.scrollToIndex(index);
    const find = (index: number) => box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    return {
      scrollToIndex,
      focusIndex(index) {
        scrollToIndex(index);
        const row = find(index);
        if (row !== null && row !== undefined) row.focus({ preventScroll: true });
        else
          requestAnimationFrame(() =>
            requestAnimationFrame(() => find(index)?.focus({ preventScroll: true })),
          );
      },
    };
  }, [virtual]);

  return (
    <div ref={box} className={cx("min-h-0 flex-1 overflow-y-auto overscroll-contain", className)}>
      <div role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          const row: ListRowProps = {
            "data-index": index,
            tabIndex: index === activeIndex ? 0 : -1,
            onFocus: (event: FocusEvent) => {
              if (event.target === event.currentTarget && index !== activeIndex) onActiveChange(index);
            },
          };
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            >
              {renderRow(item, index, row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** False while the first frame is made, which has what is seen and no more. */
function useFrameLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => (timer = setTimeout(() => setLater(true))));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isLater;
}
