import { useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { LineChart } from "../kit/charts/line-chart.tsx";
import { useNow } from "../kit/dates/time.tsx";
import { burnUp } from "./burn-up.ts";
import { MeasureSwitch, useMeasure } from "./measure-switch.tsx";
import { sizeText } from "./measure.ts";

/** In UTC days, like the daily counts elsewhere. */
export function BurnUpChart({ sprint, issues }: { sprint: Sprint; issues: readonly Issue[] }) {
  const today = new Date(useNow()).toISOString().slice(0, 10);
  const [measure, setMeasure] = useMeasure(sprint.project_id);
  const chart = useMemo(() => burnUp(sprint, issues, today, measure), [sprint, issues, today, measure]);
  // The axis of estimates is in hours.
  const scaled = (values: readonly (number | null)[]) =>
    measure === "issues" ? values : values.map((value) => value && value / 60);
  return (
    <section aria-label="Burn-up" className="min-w-0">
      {chart ? (
        <>
          <LineChart
            title={measure === "issues" ? "Burn-up" : "Burn-up in hours"}
            days={chart.days}
            today={today}
            unit={measure === "issues" ? "issues" : "estimates"}
            {...(measure === "minutes" ? { format: (hours) => sizeText(hours * 60, "minutes") } : {})}
            series={[
              ...(chart.ideal
                ? [{ name: "Ideal", values: scaled(chart.ideal), kind: "ideal" as const }]
                : []),
              { name: "Scope", values: scaled(chart.scope), kind: "scope" },
              { name: "Done", values: scaled(chart.done), kind: "done" },
            ]}
          />
          <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 flex-[1_1_16rem] text-sm text-text-3">
              In UTC days. Issues count from the day they were created, even if they were added to the sprint
              later.
            </p>
            <MeasureSwitch value={measure} onChange={setMeasure} />
          </div>
        </>
      ) : (
        <p className="text-text-2">The burn-up chart starts when the sprint does.</p>
      )}
    </section>
  );
}
