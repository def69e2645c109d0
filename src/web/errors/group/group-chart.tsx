import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { useDaysWithout } from "../../data/errors/known-releases.ts";
import { BarChart } from "../../kit/charts/bar-chart.tsx";
import { daysNote } from "./facts.ts";
import { releaseMarks } from "./release-marks.ts";
import { hotDays, utcDays } from "../view.ts";

/** Events per UTC day, up to the day of the response, with marks where a release was first seen or deployed. */
export function GroupChart({ group, asOf }: { group: ErrorGroup; asOf: number }) {
  const without = useDaysWithout(group);
  const days = utcDays(group.daily_counts.length, asOf);
  const hot = hotDays(group, days);
  const note = daysNote(group, days[0] ?? "");
  return (
    <section aria-label="Events by day">
      <BarChart
        title={`Events in the last ${days.length} days (UTC)`}
        days={days.map((date, index) => ({ date, count: group.daily_counts[index] ?? 0 }))}
        marks={releaseMarks(group, without, days)}
        marksName="Release first seen"
        quietName="Release without this error"
        hotName="Regressed"
        hot={new Set(days.filter((_, index) => hot.has(index)))}
      />
      {note !== null && <p className="mt-1 text-sm text-text-3">{note}</p>}
    </section>
  );
}
