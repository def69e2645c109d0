import type { ReactNode } from "react";

/** A line of a panel on the home page or the overview. A link in it with the class `wholeRow` has all of it as its target. */
export function PanelLine({ end, children }: { end: ReactNode; children: ReactNode }) {
  return (
    <li className="relative flex min-h-10 items-center gap-3 border-b border-line px-4 py-2 last:rounded-b-md last:border-b-0 hover:bg-hover">
      <span className="flex min-w-0 flex-1 items-center gap-3">{children}</span>
      <span className="shrink-0 text-sm text-text-3">{end}</span>
    </li>
  );
}
