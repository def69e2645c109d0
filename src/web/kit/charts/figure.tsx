import type { ReactNode } from "react";
import { compactCount, exactCount } from "../count-text.ts";
import { cx } from "../cx.ts";

type Props = {
  label: string;
  /** Undefined while it loads; its space is kept. */
  value: number | undefined;
  /** For a number that was not counted to its end, such as "1,000+". */
  isMore?: boolean;
  tone?: "usual" | "worse";
  /** A line below it, such as what is new. */
  note?: ReactNode;
  /** A link with the class `wholeFigure` around the label makes all of it the target. */
  children?: (label: ReactNode) => ReactNode;
};

/** A large number with its name, for the top of a page. */
export function Figure({ label, value, isMore = false, tone = "usual", note, children }: Props) {
  const name = <span className="text-text-2">{label}</span>;
  return (
    <div className="hover:has-[a]:bg-hover relative flex min-w-0 flex-1 flex-col gap-0.5 px-4 py-3">
      <dt className="order-last truncate">{children ? children(name) : name}</dt>
      <dd
        title={value === undefined ? undefined : exactCount(value)}
        className={cx(
          "text-figure h-8 font-semibold",
          value !== undefined && value > 0 && tone === "worse" && "text-regressed",
          value === 0 && "text-text-3",
        )}
      >
        {value !== undefined && `${compactCount(value)}${isMore ? "+" : ""}`}
        {note !== undefined && <span className="ms-2 text-sm font-normal">{note}</span>}
      </dd>
    </div>
  );
}
