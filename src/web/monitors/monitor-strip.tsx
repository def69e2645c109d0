import type { MonitorDay } from "../../shared/monitors.ts";
import { countOf } from "../kit/count-text.ts";

type Props = { days: readonly MonitorDay[]; width?: number; height?: number };

/** Days as bars: short without a check-in, high with a bad one. Two SVG paths keep long lists fast. */
export function MonitorStrip({ days, width = 132, height = 20 }: Props) {
  const step = width / days.length;
  const bar = Math.max(1, Math.floor(step) - 1);
  const pathOf = (isDrawn: (day: MonitorDay) => boolean, heightOf: (day: MonitorDay) => number) =>
    days
      .map((day, index) => {
        const high = heightOf(day);
        return isDrawn(day) ? `M${Math.round(index * step)} ${height}h${bar}v-${high}h-${bar}z` : "";
      })
      .join("");
  return (
    <svg
      role="img"
      aria-label={stripText(days)}
      width={width}
      height={height}
      className="shrink-0"
      shapeRendering="crispEdges"
    >
      <path
        d={pathOf(
          (day) => day !== "bad",
          (day) => (day === "ok" ? Math.round(height * 0.6) : 2),
        )}
        className="fill-bar"
      />
      <path
        d={pathOf(
          (day) => day === "bad",
          () => height,
        )}
        className="fill-bar-hot"
      />
    </svg>
  );
}

/** "30 days: 2 days with failures, 27 days without". */
function stripText(days: readonly MonitorDay[]): string {
  const count = (kind: MonitorDay) => days.filter((day) => day === kind).length;
  return `Of ${countOf(days.length, "day")}, ${count("bad")} with failures and ${count("ok")} without`;
}
