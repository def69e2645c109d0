import { MarkIcon } from "./mark-icon.tsx";

export const PRIORITY_WORDS = ["Highest", "High", "Medium", "Low", "Lowest"] as const;

/** An issue's priority, 0 (highest) to 4 (lowest), each with its own shape. */
export function PriorityMark({ priority, compact = false }: { priority: number; compact?: boolean }) {
  const word = PRIORITY_WORDS[priority] ?? "Unknown";
  const color = COLORS[priority];
  return (
    <span
      className="inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap"
      title={compact ? `${word} priority` : undefined}
    >
      <MarkIcon strokeWidth="1.75" {...(color !== undefined && { className: color })}>
        <path d={SHAPES[priority] ?? ""} />
      </MarkIcon>
      <span className={compact ? "sr-only" : undefined}>
        {word}
        {compact && " priority"}
      </span>
    </span>
  );
}

/** From highest to lowest: two chevrons up, one up, two bars, one down, two down. */
const SHAPES = [
  "m4 7.5 4-4 4 4m-8 5 4-4 4 4",
  "m4 10 4-4 4 4",
  "M4 6.25h8m-8 3.5h8",
  "m4 6 4 4 4-4",
  "m4 3.5 4 4 4-4m-8 5 4 4 4-4",
];
const COLORS = ["text-p-highest", "text-p-high", "text-text-2", "text-text-3", "text-text-3"];
