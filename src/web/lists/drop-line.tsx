import { cx } from "../kit/cx.ts";
import type { DropEdge } from "./use-drop-target.ts";

/** The line where a dragged item would land. Its parent must be `relative`. */
export function DropLine({ edge }: { edge: DropEdge | null }) {
  if (edge === null) return null;
  return (
    <span
      aria-hidden
      className={cx(
        "pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-accent forced-colors:bg-[Highlight]",
        edge === "before" ? "-top-px" : "-bottom-px",
      )}
    />
  );
}
