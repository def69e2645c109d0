import type { ReactElement, ReactNode } from "react";

/** A property: its name, and its value or the button that changes it. */
export function Property({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-x-2">
      <dt className="flex min-h-8 w-20 shrink-0 items-center text-text-3">{label}</dt>
      <dd className="flex min-h-8 min-w-0 flex-1 items-center">{children}</dd>
    </div>
  );
}

/** The button that opens the picker of a property, labeled with its name and value. */
export function railButton(
  label: string,
  value: ReactNode,
  { shortcut, onClick }: { shortcut?: string; onClick?: () => void } = {},
): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      title={shortcut === undefined ? undefined : `${label} (${shortcut})`}
      onClick={onClick}
      className="-mx-2 flex min-h-8 w-[calc(100%+16px)] min-w-0 items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-hover aria-expanded:bg-hover"
    >
      <span className="sr-only">{label}: </span>
      {value}
    </button>
  );
}

/** Shown for a property without a value. */
export function None({ children }: { children: ReactNode }) {
  return <span className="truncate text-text-3">{children}</span>;
}
