import { keycaps } from "../keys/catalogue.ts";
import { cx } from "./cx.ts";

/** Keys as the catalogue writes them (`mod+k`, `g i`), shown as keycaps; `silent` inside a control, whose name they are not. */
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
      className={cx("inline-flex shrink-0 gap-0.5 font-sans text-xs", className)}
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
