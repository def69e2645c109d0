import { compactCount } from "./count-text.ts";
import { cx } from "./cx.ts";

type Props = {
  label: string;
  count: number | undefined;
  /** The count is left out where space is scarce. */
  isQuiet?: boolean;
};

/** A tab's name and count. */
export function TabLabel({ label, count, isQuiet }: Props) {
  return (
    <>
      {label}
      {count !== undefined && (
        <span className={cx("text-sm font-normal text-text-3", isQuiet && "@max-[480px]/tools:hidden")}>
          {compactCount(count)}
        </span>
      )}
    </>
  );
}

export function tabClass(current: boolean): string {
  return cx(
    "flex h-10 pointer-coarse:h-11 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium whitespace-nowrap focus-visible:-outline-offset-2",
    current
      ? "border-accent text-text"
      : "border-transparent text-text-2 hover:border-line-strong hover:text-text",
  );
}
