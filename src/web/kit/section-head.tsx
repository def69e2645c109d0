import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = {
  title: string;
  /** Beside the title: a count, or how much of it is done. */
  aside?: ReactNode;
  /** The section has no other lines. The action then follows the title, in the same place in every section. */
  isEmpty: boolean;
  /** Under another heading of the page. */
  isSub?: boolean;
  /** A quiet button that adds to the section. */
  children?: ReactNode;
};

/** The line above what belongs to an issue or epic: files, sources, sub-issues, relations. */
export function SectionHead({ title, aside, isEmpty, isSub = false, children }: Props) {
  const Title = isSub ? "h3" : "h2";
  return (
    <div
      className={cx(
        "flex min-h-8 items-center gap-2",
        !isEmpty && "justify-between [&>button:last-child]:-me-2",
      )}
    >
      <Title
        className={cx(
          "flex items-center gap-2 font-semibold whitespace-nowrap [&>span]:text-sm [&>span]:text-text-3",
          isEmpty && "min-w-20",
        )}
      >
        {title}
        {aside}
      </Title>
      {children}
    </div>
  );
}
