import type { ReactNode } from "react";
import { observedHeight } from "./observed-height.ts";

/** Details beside a long text that stay in view: from the top if they fit the window, otherwise with their end at its bottom. */
export function StickyRail({ children }: { children: ReactNode }) {
  return (
    <div ref={placeByHeight} className="md:sticky">
      {children}
    </div>
  );
}

function placeByHeight(rail: HTMLElement | null): (() => void) | undefined {
  if (rail === null) return undefined;
  const observer = new ResizeObserver((entries) => {
    rail.style.top = `min(var(--page-top) + var(--head, 0px), 100dvh - ${observedHeight(entries)}px)`;
  });
  observer.observe(rail);
  return () => observer.disconnect();
}
