import { cx } from "./cx.ts";
import type { Lines } from "./density.ts";

/** Placeholder rows with the height of the real ones. */
export function Skeleton({
  rows = 6,
  lines = 1,
  label = "Loading",
}: {
  rows?: number;
  /** How many lines of text each row has. */
  lines?: Lines;
  label?: string;
}) {
  return (
    <div role="status" data-no-print>
      <span className="sr-only">{label}</span>
      <div aria-hidden>
        {Array.from({ length: rows }, (_, index) => (
          <div
            key={index}
            className={cx(
              "flex items-center gap-3 border-b border-line px-4",
              lines === 1 ? "h-(--row-1)" : "h-(--row-2)",
            )}
          >
            <span className="size-4 rounded-full bg-line" />
            <span className="h-3 rounded-sm bg-line" style={{ width: `${30 + ((index * 37) % 40)}%` }} />
            <span className="ms-auto h-3 w-12 rounded-sm bg-line" />
          </div>
        ))}
      </div>
    </div>
  );
}
