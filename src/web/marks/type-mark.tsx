import { Sparkle } from "lucide-react";
import { KIND_ICONS } from "./kind-icons.ts";

export const TYPE_WORDS = ["Feature", "Bug"] as const;

/** An issue's type: 0 is a feature, 1 a bug. */
export function TypeMark({ type, compact = false }: { type: 0 | 1; compact?: boolean }) {
  const word = TYPE_WORDS[type];
  const Shape = type === 1 ? KIND_ICONS.bug : Sparkle;
  return (
    <span
      className="inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap"
      title={compact ? word : undefined}
    >
      <Shape size={16} strokeWidth={1.75} className="text-text-2" />
      <span className={compact ? "sr-only" : undefined}>{word}</span>
    </span>
  );
}
