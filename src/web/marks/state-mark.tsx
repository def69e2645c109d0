import type { ErrorGroupStatus } from "../../shared/error-groups.ts";
import { cx } from "../kit/cx.ts";
import { MarkIcon } from "./mark-icon.tsx";

type Props = {
  status: ErrorGroupStatus;
  /** Set on an open group that has regressed. */
  regressedAt: string | null;
  reopenCount?: number;
  /** Shows only the icon. The word stays available to screen readers and on hover. */
  compact?: boolean;
  /** Leaves out the color, where something beside it already shows it. */
  quiet?: boolean;
};

/** An error group's state by shape, word and color. */
export function StateMark({ status, regressedAt, reopenCount = 0, compact = false, quiet = false }: Props) {
  const state =
    status === 1 ? "resolved" : status === 2 ? "ignored" : regressedAt !== null ? "regressed" : "open";
  const times = state === "regressed" && reopenCount > 0 ? ` ×${reopenCount}` : "";
  const { word, className, shape } = STATES[state];
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1.5 font-medium whitespace-nowrap",
        quiet ? "text-text-2" : className,
      )}
      title={compact ? word + times : undefined}
    >
      <MarkIcon>{shape}</MarkIcon>
      <span className={compact ? "sr-only" : undefined}>{word}</span>
      {times !== "" && <span className="text-sm text-regressed">{times.trim()}</span>}
    </span>
  );
}

const STATES = {
  open: {
    word: "Open",
    className: "text-open",
    shape: (
      <>
        <circle cx="8" cy="8" r="5.75" />
        <circle cx="8" cy="8" r="1.75" fill="currentColor" stroke="none" />
      </>
    ),
  },
  resolved: {
    word: "Resolved",
    className: "text-resolved",
    shape: (
      <>
        <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
        <path d="m5.2 8.2 2 2 3.6-4.2" className="stroke-surface" strokeWidth="1.75" />
      </>
    ),
  },
  ignored: {
    word: "Ignored",
    className: "text-ignored",
    shape: (
      <>
        <circle cx="8" cy="8" r="5.75" />
        <path d="m4 12 8-8" />
      </>
    ),
  },
  regressed: {
    word: "Regressed",
    className: "text-regressed",
    shape: (
      <>
        <path d="M3.1 5.1A5.75 5.75 0 1 1 2.3 8.6" />
        <path d="M2.6 2.2v3.2h3.2" />
        <circle cx="8" cy="8" r="1.5" fill="currentColor" stroke="none" />
      </>
    ),
  },
};
