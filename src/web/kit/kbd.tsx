import { keycaps } from "../keys/catalog.ts";
import { cx } from "./cx.ts";

/**
 * Keycaps for keys in the catalog's notation (`mod+k`, `g i`). Use `silent` inside a control, so that they do not
 * become part of its name; there they are shown only where a keyboard is likely.
 */
export function Kbd({
  keys,
  silent = false,
  className,
}: {
  keys: string;
  silent?: boolean;
  className?: string;
}) {
  return (
    <kbd
      aria-hidden={silent || undefined}
      className={cx("inline-flex shrink-0 gap-0.5 font-sans text-xs", silent && TOUCH_HIDES, className)}
    >
      {keycaps(keys).map((cap, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- caps may repeat and never move
          key={index}
          className="min-w-4 rounded-sm border border-current/25 px-1 text-center leading-[14px]"
        >
          {cap}
        </span>
      ))}
    </kbd>
  );
}

const TOUCH_HIDES = "[@media(hover:none)]:hidden";
