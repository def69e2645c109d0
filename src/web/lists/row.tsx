import type { ComponentProps, ReactNode } from "react";
import { cx } from "../kit/cx.ts";
import type { Lines } from "../kit/density.ts";
import { rowTextHandlers } from "./row-text.tsx";

type RowProps = Omit<ComponentProps<"div">, "children"> & {
  /** How many lines of text the row has, which determines its height. */
  lines?: Lines | undefined;
  /** Whether the keyboard cursor is on this row; an accent bar marks it. */
  current?: boolean | undefined;
  /** Whether its checkbox is checked. */
  selected?: boolean | undefined;
  /** A `RowCheckbox`. */
  checkbox?: ReactNode;
  /** On the right; always rendered, for touch and keyboard. */
  end?: ReactNode;
  children: ReactNode;
};

/** A row of a list. A link inside it with the class `rowLink` makes the whole row clickable. */
export function Row({
  lines = 1,
  current = false,
  selected = false,
  checkbox,
  end,
  className,
  children,
  ...rest
}: RowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keys are the link's
    <div
      {...rest}
      {...rowTextHandlers}
      className={cx(rowClass({ current, selected }), lines === 1 ? "h-(--row-1)" : "h-(--row-2)", className)}
      data-current={current || undefined}
      data-tinted
    >
      {checkbox !== undefined && <span className="relative z-1 flex">{checkbox}</span>}
      <div className="flex min-w-0 flex-1 items-center gap-3">{children}</div>
      {end !== undefined && (
        <div className="flex shrink-0 items-center gap-3 [&_a]:relative [&_a]:z-1 [&_button]:relative [&_button]:z-1">
          {end}
        </div>
      )}
    </div>
  );
}

/** The classes of a row, for another element. */
export function rowClass({
  current = false,
  selected = false,
}: { current?: boolean; selected?: boolean } = {}): string {
  return cx(
    "relative flex items-center gap-3 border-b border-line px-4 focus-visible:-outline-offset-2",
    current
      ? "bg-selected before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent forced-colors:outline forced-colors:-outline-offset-1"
      : selected
        ? "bg-accent-tint"
        : "hover:bg-hover",
  );
}

/** Makes the whole row, or line of a panel, the target of a link in it. */
export const wholeRow =
  "after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus";

/** For the link of a row's title. */
export const rowLink = `row-link min-w-0 truncate font-medium text-text outline-offset-0 ${wholeRow}`;
