import { ChartFrame, PLOT } from "./chart-frame.tsx";
import { exactCount } from "./count-text.ts";
import { niceMax } from "./scale.ts";
import { dayText } from "./time-text.ts";

type Props = {
  title: string;
  /** One entry per day, oldest first. `date` is a UTC day such as `2026-11-20`. */
  days: readonly { date: string; count: number }[];
  /** Events to mark, such as the first event of a release. */
  marks?: readonly { date: string; label: string }[];
  /** Days to highlight. */
  hot?: ReadonlySet<string>;
  /** The counted noun, in the plural. */
  unit?: string;
};

/** Counts per day as bars, with marks for releases. */
export function BarChart({ title, days, marks = NONE, hot, unit = "events" }: Props) {
  const max = niceMax(days.map(({ count }) => count));
  const markOf = (date: string) => marks.filter((mark) => mark.date === date).map(({ label }) => label);
  const text = (index: number) => {
    const day = days[index];
    if (day === undefined) return "";
    return [dayText(day.date), `${exactCount(day.count)} ${unit}`, ...markOf(day.date)].join(" · ");
  };
  return (
    <ChartFrame
      title={title}
      labels={days.map(({ date }) => dayText(date, false))}
      max={max}
      valueText={text}
      columns={[
        "Day",
        unit.charAt(0).toUpperCase() + unit.slice(1),
        ...(marks.length > 0 ? ["Releases"] : []),
      ]}
      rows={days.map(({ date, count }) => [
        dayText(date),
        exactCount(count),
        ...(marks.length > 0 ? [markOf(date).join(", ")] : []),
      ])}
    >
      {(plot, at) =>
        days.map(({ date, count }, index) => {
          const wide = Math.max(1, plot.step - (plot.step > 6 ? 3 : 1));
          const top = count === 0 ? plot.y(0) - 1 : Math.min(plot.y(count), plot.y(0) - 2);
          const marked = markOf(date).length > 0;
          return (
            <g key={date}>
              {index === at && (
                <rect
                  x={plot.x(index) - plot.step / 2}
                  y={PLOT.top}
                  width={plot.step}
                  height={plot.y(0) - PLOT.top}
                  className="fill-hover"
                />
              )}
              <rect
                x={plot.x(index) - wide / 2}
                y={top}
                width={wide}
                height={plot.y(0) - top}
                className={hot?.has(date) ? "fill-bar-hot" : "fill-bar"}
                opacity={at === null || at === index ? 1 : 0.7}
              />
              {marked && (
                <>
                  <line
                    x1={plot.x(index)}
                    x2={plot.x(index)}
                    y1={8}
                    y2={plot.y(0)}
                    className="stroke-line-strong"
                    strokeDasharray="2 2"
                  />
                  <path d={`M${plot.x(index) - 4} 4h8l-4 6z`} className="fill-text-2" />
                </>
              )}
            </g>
          );
        })
      }
    </ChartFrame>
  );
}

const NONE: readonly { date: string; label: string }[] = [];
