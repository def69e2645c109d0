import type { ReactNode } from "react";

/** The `h1` of a page about one thing, above its text; the page's header has `titled`. */
export function PageTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <h1 dir="auto" className="min-w-0 text-display font-semibold wrap-anywhere has-[textarea]:flex-1">
        {children}
      </h1>
      {aside}
    </div>
  );
}
