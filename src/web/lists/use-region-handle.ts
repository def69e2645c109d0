import { type RefObject, useImperativeHandle, useRef } from "react";
import type { ListHandle } from "./use-list-focus.ts";

/** Lets a list focus its rows, which are anywhere in a region that is not virtual. Returns the ref of the region. */
export function useRegionHandle(handle: RefObject<ListHandle | null>) {
  const region = useRef<HTMLDivElement>(null);
  useImperativeHandle(handle, () => ({
    contains: (element) => region.current?.contains(element) ?? false,
    focusRow: (id, { scroll } = { scroll: true }) =>
      region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: !scroll }),
    scrollToTop: () => region.current?.scrollTo({ top: 0 }),
  }));
  return region;
}
