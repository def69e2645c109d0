import { type RefObject, useLayoutEffect, useRef } from "react";
import { placeTooltip } from "./place-tooltip.ts";
import type { Side } from "./tooltip.ts";

/** For a box of `position: fixed`, which stays beside its control while the page scrolls. */
export function usePlaced(control: HTMLElement, side: Side): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const { current } = box;
      if (current === null) return;
      const { clientWidth: width, clientHeight: height } = document.documentElement;
      const size = { width: current.offsetWidth, height: current.offsetHeight };
      const at = placeTooltip(control.getBoundingClientRect(), size, { width, height }, side);
      current.style.left = `${at.left}px`;
      current.style.top = `${at.top}px`;
    };
    place();
    const options = { capture: true, passive: true };
    addEventListener("scroll", place, options);
    addEventListener("resize", place);
    return () => {
      removeEventListener("scroll", place, options);
      removeEventListener("resize", place);
    };
  }, [control, side]);
  return box;
}
