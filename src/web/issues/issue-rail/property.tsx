import { createContext, type ReactElement, type ReactNode, use } from "react";
import { cx } from "../../kit/cx.ts";

/** Whether a phone shows all properties, which are above the description there. */
export const AllPropertiesContext = createContext(true);

type Props = {
  label: string;
  /** Whether a phone may leave it out, for example because it has no value. */
  minor?: boolean;
  children: ReactNode;
};

/** A property: its name, and its value or the button that changes it. */
export function Property({ label, minor = false, children }: Props) {
  const isHidden = !use(AllPropertiesContext) && minor;
  return (
    <div className={cx("flex min-w-0 flex-wrap items-start gap-x-2", isHidden && "max-sm:hidden")}>
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
