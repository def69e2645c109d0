import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { type Icon, IconSlot } from "./icon.tsx";

export type Tone = "neutral" | "accent" | "open" | "resolved" | "ignored" | "regressed" | "warn" | "danger";

/** A short word or number in a pill. `dot` is a label's color. */
export function Badge({
  tone = "neutral",
  icon,
  dot,
  children,
}: {
  tone?: Tone;
  icon?: Icon;
  dot?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 text-sm font-medium whitespace-nowrap forced-colors:border",
        TONES[tone],
      )}
    >
      {dot !== undefined && (
        <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: dot }} />
      )}
      <IconSlot icon={icon} size={12} />
      <span dir="auto" className="truncate">
        {children}
      </span>
    </span>
  );
}

const TONES: Record<Tone, string> = {
  neutral: "bg-ignored-tint text-text-2",
  accent: "bg-accent-tint text-accent-text",
  open: "bg-open-tint text-open",
  resolved: "bg-resolved-tint text-resolved",
  ignored: "bg-ignored-tint text-ignored",
  regressed: "bg-regressed-tint text-regressed",
  warn: "bg-warn-tint text-warn",
  danger: "bg-danger-tint text-danger",
};
