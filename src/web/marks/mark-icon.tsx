import type { ReactNode } from "react";

type Props = { strokeWidth?: string; className?: string; children: ReactNode };

/** The icon of a mark, drawn with lines in the text's color on 16 × 16 px. */
export const MarkIcon = ({ strokeWidth = "1.5", className, children }: Props) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={strokeWidth}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className}
    aria-hidden
  >
    {children}
  </svg>
);
