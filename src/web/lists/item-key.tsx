import { cx } from "../kit/cx.ts";

/** The key of an issue, or of its project, in a column of the same width in every list, so that titles line up. */
export function ItemKey({ children, className }: { children: string; className?: string }) {
  return (
    <span title={children} className={cx(ITEM_KEY, className)}>
      {children}
    </span>
  );
}

export const ITEM_KEY = "w-20 shrink-0 truncate text-sm text-text-3";
