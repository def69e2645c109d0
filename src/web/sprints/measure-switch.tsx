import { useState } from "react";
import { cx } from "../kit/cx.ts";
import { stored } from "../state/stored.ts";
import { asMeasure, type Measure } from "./measure.ts";

const kept = (projectId: number) => stored<Measure>(`sprint-measure:${projectId}`, asMeasure, "issues");

/** What the project's sprints are counted in, remembered in this browser. */
export function useMeasure(projectId: number): [Measure, (measure: Measure) => void] {
  const [measure, setMeasure] = useState(() => kept(projectId).read());
  return [
    measure,
    (next) => {
      setMeasure(next);
      kept(projectId).write(next);
    },
  ];
}

const OPTIONS = [
  { value: "issues", label: "Issues" },
  { value: "minutes", label: "Estimates" },
] as const;

export function MeasureSwitch({ value, onChange }: { value: Measure; onChange: (value: Measure) => void }) {
  return (
    <div role="group" aria-label="Count by" className="flex gap-1">
      {OPTIONS.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value === option.value}
          className={cx(
            "h-7 rounded-md px-2 text-sm",
            value === option.value
              ? "bg-selected font-medium text-accent-text forced-colors:outline"
              : "text-text-2 hover:bg-hover",
          )}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
