import { type ReactNode, useId } from "react";
import { cx } from "../kit/cx.ts";
import { keepFocus } from "../kit/keep-focus.ts";
import { PanelHeading } from "./panel-heading.ts";

type Props = {
  title: string;
  /** A sentence or two about what it is for. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Adds padding. Lists have rows with their own. */
  padded?: boolean;
  danger?: boolean;
  children: ReactNode;
};

/** A titled section of a settings page. */
export function Panel({ title, lead, actions, padded = false, danger = false, children }: Props) {
  const id = useId();
  return (
    <section ref={keepFocus} aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="max-w-read min-w-0 flex-[1_1_20rem]">
          <h2 id={id} className={cx("text-title font-semibold", danger && "text-danger")}>
            {title}
          </h2>
          {lead !== undefined && <p className="text-text-2">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <div
        className={cx(
          "bg-surface min-w-0 overflow-hidden rounded-md border",
          danger ? "border-danger" : "border-line",
          padded && "p-4",
        )}
      >
        <PanelHeading value={id}>{children}</PanelHeading>
      </div>
    </section>
  );
}

/** Rows of a panel. They grow with their content and wrap on narrow screens. */
export function PanelList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-line flex flex-col divide-y">
      {children}
    </ul>
  );
}

/** A row of a panel, with its actions at the end. */
export function PanelRow({ children, end }: { children: ReactNode; end?: ReactNode }) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
      <div className="flex min-w-0 flex-[1_1_14rem] items-center gap-3">{children}</div>
      {end !== undefined && <div className="ms-auto flex flex-wrap items-center gap-2">{end}</div>}
    </li>
  );
}

/** A name with a line below, both truncated. */
export function TwoLines({ title, text, badges }: { title: string; text?: ReactNode; badges?: ReactNode }) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span dir="auto" className="max-w-full truncate font-medium" title={title}>
          {title}
        </span>
        {badges}
      </div>
      {text !== undefined && <div className="text-text-3 truncate text-sm">{text}</div>}
    </div>
  );
}

/** Shown instead of rows: why there are none, and what to do. */
export function PanelEmpty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="text-text-2 flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="max-w-[56ch] text-balance">{children}</p>
      {action}
    </div>
  );
}
