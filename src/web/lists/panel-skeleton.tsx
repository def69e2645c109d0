import type { Lines } from "../kit/density.ts";
import { PanelLine } from "./panel-line.tsx";

type Props = {
  rows: number;
  /** How many lines of text each row has. */
  lines?: Lines;
};

/** Placeholders with the height of a panel's lines, so that nothing moves when these arrive. */
export function PanelSkeleton({ rows, lines = 1 }: Props) {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <ul aria-hidden>
        {Array.from({ length: rows }, (_, index) => (
          <PanelLine key={index} end={<Bar className="w-12" />}>
            <span className="flex w-full min-w-0 flex-col">
              <Bar width={`${35 + ((index * 37) % 40)}%`} />
              {lines === 2 && <Bar className="h-4" width={`${20 + ((index * 23) % 30)}%`} />}
            </span>
          </PanelLine>
        ))}
      </ul>
    </div>
  );
}

function Bar({ width, className = "h-5" }: { width?: string; className?: string }) {
  return (
    <span className={`flex items-center ${className}`} style={{ width }}>
      <span className="bg-line h-2.5 w-full rounded-sm" />
    </span>
  );
}
