import { use } from "react";
import type { CheckIn } from "../../shared/monitors.ts";
import { ChartFrame, PLOT, type Plot } from "../kit/charts/chart-frame.tsx";
import { axisMax } from "../kit/charts/scale.ts";
import { printedTime } from "../kit/dates/time-text.ts";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { durationText } from "./duration-text.ts";
import { CHECK_IN_LOOKS } from "./monitor-status.ts";

/** More bars than these would be thinner than their gaps. */
const MAX_BARS = 100;
const DAY_MS = 86_400_000;

/** How long the latest runs took, oldest first. Nothing if none of them has a duration. */
export function RunChart({ runs }: { runs: readonly CheckIn[] }) {
  const timeZone = use(TimeZoneContext);
  const shown = runs.slice(0, MAX_BARS).toReversed();
  const durations = shown.map(({ duration }) => duration ?? 0);
  if (!shown.some(({ duration }) => duration !== null)) return null;
  const label = labelOf(shown, timeZone);
  const cellsOf = ({ started_at, duration, status }: CheckIn) => [
    printedTime(started_at, timeZone),
    duration === null ? "—" : durationText(duration),
    CHECK_IN_LOOKS[status].label,
  ];
  return (
    <div className="border-b border-line p-4">
      <ChartFrame
        title="Duration in seconds"
        labels={shown.map(({ started_at }) => label.format(Date.parse(started_at)))}
        max={axisMax(durations)}
        valueText={(index) => {
          const run = shown[index];
          return run ? cellsOf(run).join(" · ") : "";
        }}
        columns={["Started", "Duration", "Status"]}
        rows={shown.map(cellsOf)}
      >
        {(plot, at) =>
          shown.map((run, index) => <Bar key={run.id} plot={plot} index={index} run={run} at={at} />)
        }
      </ChartFrame>
    </div>
  );
}

/** Times of day, or days if the runs span more than one. */
function labelOf(runs: readonly CheckIn[], timeZone: string): Intl.DateTimeFormat {
  const [first, last] = [runs[0], runs.at(-1)];
  const span = first && last ? Date.parse(last.started_at) - Date.parse(first.started_at) : 0;
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...(span > DAY_MS ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit" }),
  });
}

type BarProps = { plot: Plot; index: number; run: CheckIn; at: number | null };

function Bar({ plot, index, run: { duration, status }, at }: BarProps) {
  const wide = Math.max(1, plot.step - (plot.step > 6 ? 3 : 1));
  const isBad = CHECK_IN_LOOKS[status].tone === "regressed";
  const [bottom, least] = [plot.y(0), isBad ? 4 : 2];
  const top = Math.min(plot.y(duration ?? 0), bottom - least);
  return (
    <>
      {index === at && (
        <rect
          x={plot.x(index) - plot.step / 2}
          y={PLOT.top}
          width={plot.step}
          height={bottom - PLOT.top}
          className="fill-hover"
        />
      )}
      <rect
        x={plot.x(index) - wide / 2}
        y={top}
        width={wide}
        height={bottom - top}
        className={isBad ? "fill-bar-hot" : "fill-bar"}
        opacity={at === null || at === index ? 1 : 0.7}
      />
    </>
  );
}
