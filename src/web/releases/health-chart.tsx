import { use } from "react";
import type { ReleaseHealthPoint } from "../../shared/release-health.ts";
import { ChartFrame, PLOT, type Plot } from "../kit/charts/chart-frame.tsx";
import { axisMax } from "../kit/charts/scale.ts";
import { exactCount, unitOf } from "../kit/count-text.ts";
import { dayText, printedTime } from "../kit/dates/time-text.ts";
import { TimeZoneContext, useNow } from "../kit/dates/time.tsx";
import type { HealthInterval } from "../data/errors/releases.ts";
import { filledSeries } from "./filled-series.ts";

type Props = { points: readonly ReleaseHealthPoint[]; interval: HealthInterval };

/** The sessions of each day or hour, and how many of them crashed. */
export function HealthChart({ points, interval }: Props) {
  const timeZone = use(TimeZoneContext);
  const shown = filledSeries(points, interval, useNow());
  const isDaily = interval === "day";
  const timeText = (at: string) => (isDaily ? dayText(at) : printedTime(at, timeZone));
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const textOf = (point: ReleaseHealthPoint | undefined) =>
    point === undefined
      ? ""
      : [
          timeText(point.at),
          `${exactCount(point.sessions)} ${unitOf(point.sessions, "sessions")}`,
          `${exactCount(point.crashed)} crashed`,
          ...(point.users === null ? [] : [`${exactCount(point.users)} ${unitOf(point.users, "users")}`]),
        ].join(" · ");
  const users = isDaily ? ["Users"] : [];
  return (
    <>
      <ChartFrame
        title={isDaily ? "Sessions by day (UTC)" : "Sessions by hour"}
        labels={shown.map(({ at }) => (isDaily ? dayText(at, false) : hour.format(Date.parse(at))))}
        max={axisMax(shown.map(({ sessions }) => sessions))}
        valueText={(index) => textOf(shown[index])}
        columns={[isDaily ? "Day" : "Hour", "Sessions", "With errors", "Crashed", "Abnormal", ...users]}
        rows={shown.map(({ at, ...counts }) => [
          timeText(at),
          ...[counts.sessions, counts.errored, counts.crashed, counts.abnormal].map(exactCount),
          ...(isDaily ? [exactCount(counts.users ?? 0)] : []),
        ])}
      >
        {(plot, at) =>
          shown.map((point, index) => <Bar key={point.at} plot={plot} index={index} point={point} at={at} />)
        }
      </ChartFrame>
      <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-text-2" aria-hidden>
        <LegendItem name="Sessions" className="bg-bar" />
        <LegendItem name="Crashed" className="bg-bar-hot" />
      </ul>
    </>
  );
}

const LegendItem = ({ name, className }: { name: string; className: string }) => (
  <li className="flex items-center gap-1.5">
    <span className={`size-2.5 ${className}`} />
    {name}
  </li>
);

type BarProps = { plot: Plot; index: number; point: ReleaseHealthPoint; at: number | null };

function Bar({ plot, index, point: { sessions, crashed }, at }: BarProps) {
  const wide = Math.max(1, plot.step - (plot.step > 6 ? 3 : 1));
  const x = plot.x(index) - wide / 2;
  const bottom = plot.y(0);
  const opacity = at === null || at === index ? 1 : 0.7;
  const bar = (count: number, className: string) => {
    const top = count === 0 ? bottom - 1 : Math.min(plot.y(count), bottom - 2);
    return <rect x={x} y={top} width={wide} height={bottom - top} className={className} opacity={opacity} />;
  };
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
      {bar(sessions, "fill-bar")}
      {crashed > 0 && bar(crashed, "fill-bar-hot")}
    </>
  );
}
