import { type RefObject, useImperativeHandle, useRef } from "react";
import type { ListHandle } from "./use-list-focus.ts";

/** Lets a list focus its rows, which are anywhere in a region that is not virtual. Returns the ref of the region. */
export function useRegionHandle(handle: RefObject<ListHandle | null>) {
  const region = useRef<HTMLDivElement>(null);
  useImperativeHandle(handle, () => {
    const find = (id: number) => region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`);
    return {
      contains: (element) => region.current?.contains(element) ?? false,
      focusRow(id, { scroll } = { scroll: true }) {
        const focus = (row: HTMLElement | null | undefined) => row?.focus({ preventScroll: !scroll });
        const row = find(id);
        if (row) focus(row);
        // A row that is far from the view is rendered when the cursor has moved to it.
        else requestAnimationFrame(() => requestAnimationFrame(() => focus(find(id))));
      },
      scrollToTop: () => region.current?.scrollTo({ top: 0 }),
    };
  });
  return region;
}
