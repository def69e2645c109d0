import type { ReactNode } from "react";
import { watchTitle } from "./title-in-view.ts";

type Props = {
  children: ReactNode;
  /** The button that edits the title, at the end of its first line. */
  edit?: ReactNode;
  /** What follows the title, such as its state; it may wrap. */
  aside?: ReactNode;
};

/** The `h1` of a page about one thing, above its text; the page's header has `titled`. */
export function PageTitle({ children, edit, aside }: Props) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <div className="flex max-w-full min-w-0 items-start gap-2 has-[textarea]:flex-1">
        <h1
          ref={watchTitle}
          dir="auto"
          className="min-w-0 text-display font-semibold wrap-anywhere has-[textarea]:flex-1"
        >
          {children}
        </h1>
        {!aside && edit}
      </div>
      {aside}
      {/* The button may be invisible until the pointer is over the title, so nothing follows its space. */}
      {aside && edit}
    </div>
  );
}
