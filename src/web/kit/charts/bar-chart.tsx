import type { ReactNode } from "react";
import { ChartFrame, PLOT, type Plot } from "./chart-frame.tsx";
import { exactCount, unitOf } from "../count-text.ts";
import { axisMax } from "./scale.ts";
import { dayText } from "../dates/time-text.ts";

type Props = {
  title: string;
  /** One entry per day, oldest first. `date` is a UTC day such as `2026-11-20`. */
  days: readonly { date: string; count: number }[];
  /** Events to mark, such as the first event of a release; `name` is written at the mark. */
  marks?: readonly Mark[];
  /** What the marks are, for the legend. */
  marksName?: string;
  /** What the quiet marks are, for the legend. */
  quietName?: string;
  /** Days to highlight. */
  hot?: ReadonlySet<string>;
  /** What the highlighted days are, for the legend. */
  hotName?: string;
  /** The counted noun, in the plural. */
  unit?: string;
};

/** Counts per day as bars, with marks for releases. */
export function BarChart({
  title,
  days,
  marks = NONE,
  marksName,
  quietName,
  hot = NO_DAYS,
  hotName,
  unit = "events",
}: Props) {
  const max = axisMax(days.map(({ count }) => count));
  const [loud, quiet] = [marks.filter((mark) => !mark.quiet), marks.filter((mark) => mark.quiet)];
  const markOf = (date: string) => marks.filter((mark) => mark.date === date).map(({ label }) => label);
  const text = (index: number) => {
    const day = days[index];
    if (day === undefined) return "";
    const count = `${exactCount(day.count)} ${unitOf(day.count, unit)}`;
    return [dayText(day.date), count, ...markOf(day.date)].join(" · ");
  };
  return (
    <>
      <ChartFrame
        title={title}
        labels={days.map(({ date }) => dayText(date, false))}
        max={max}
        valueText={text}
        columns={["Day", capitalized(unit), ...(marks.length > 0 ? ["Releases"] : [])]}
        rows={days.map(({ date, count }) => {
          const cells = [dayText(date), exactCount(count)];
          return marks.length > 0 ? [...cells, markOf(date).join(", ")] : cells;
        })}
      >
        {(plot, at) => (
          <>
            {days.map(({ date, count }, index) => (
              <Bar
                key={date}
                {...{ plot, index, count, at }}
                isHot={hot.has(date)}
                line={loud.some(isOn(date)) ? LOUD : quiet.some(isOn(date)) ? QUIET : undefined}
              />
            ))}
            <MarkNames days={days} marks={loud} plot={plot} />
          </>
        )}
      </ChartFrame>
      {/* Quiet marks load later; their legend must not move what is below the chart. */}
      {(hot.size > 0 || marks.length > 0 || quietName !== undefined) && (
        <ul className="mt-1 flex min-h-4 flex-wrap gap-x-4 text-sm text-text-2" aria-hidden>
          {hot.size > 0 && <LegendItem name={hotName} mark={HOT_SQUARE} />}
          {loud.length > 0 && <LegendItem name={marksName} mark={markLine(LOUD)} />}
          {quiet.length > 0 && <LegendItem name={quietName} mark={markLine(QUIET)} />}
        </ul>
      )}
    </>
  );
}

type BarProps = {
  plot: Plot;
  index: number;
  count: number;
  /** The active day. */
  at: number | null;
  isHot: boolean;
  /** The line of a mark on this day. */
  line: typeof LOUD | typeof QUIET | undefined;
};

function Bar({ plot, index, count, at, isHot, line }: BarProps) {
  const wide = Math.max(1, plot.step - (plot.step > 6 ? 3 : 1));
  const top = count === 0 ? plot.y(0) - 1 : Math.min(plot.y(count), plot.y(0) - 2);
  return (
    <g>
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
        className={isHot ? "fill-bar-hot" : "fill-bar"}
        opacity={at === null || at === index ? 1 : 0.7}
      />
      {line && (
        <line
          x1={plot.x(index)}
          x2={plot.x(index)}
          y1={line === LOUD ? 4 : PLOT.top}
          y2={plot.y(0)}
          {...line}
        />
      )}
    </g>
  );
}

type NamesProps = { days: Props["days"]; marks: readonly Mark[]; plot: Plot };

function MarkNames({ days, marks, plot }: NamesProps) {
  return markLabels(days, marks, plot).map(({ name, x, isLeft }) => (
    <text
      key={x}
      x={x + (isLeft ? -4 : 4)}
      y={12}
      textAnchor={isLeft ? "end" : "start"}
      className="fill-text-2 text-xs"
    >
      {name}
    </text>
  ));
}

function LegendItem({ name, mark }: { name: string | undefined; mark: ReactNode }) {
  if (name === undefined) return null;
  return (
    <li className="flex items-center gap-1.5">
      <svg width="10" height="12">
        {mark}
      </svg>
      {name}
    </li>
  );
}

/** At most this wide; there is no cheap way to measure text in an SVG. */
const CHARACTER = 6.5;

/** The names of the marks, from the newest, without those that would cover a newer one. */
function markLabels(days: Props["days"], marks: readonly Mark[], plot: Plot) {
  const labels: { name: string; x: number; isLeft: boolean }[] = [];
  let end = plot.width;
  for (let index = days.length - 1; index >= 0; index--) {
    const names = marks.filter(({ date }) => date === days[index]?.date).map(({ name }) => name);
    const last = names.at(-1);
    if (last === undefined) continue;
    const name = names.length > 1 ? `${last} +${names.length - 1}` : last;
    const x = plot.x(index);
    const width = name.length * CHARACTER + 8;
    const isLeft = x + width > end && end === plot.width;
    if (isLeft ? x - width < PLOT.left : x + width > end) continue;
    labels.push({ name, x, isLeft });
    end = isLeft ? x - width : x;
  }
  return labels;
}

/** A quiet mark has no name beside it. */
export type Mark = { date: string; name: string; label: string; quiet?: boolean };

const LOUD = { className: "stroke-line-strong", strokeDasharray: "2 2" };
const QUIET = { className: "stroke-line-strong", strokeDasharray: "1 5" };

const isOn = (date: string) => (mark: Mark) => mark.date === date;
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const HOT_SQUARE = <rect width="10" height="10" y="1" className="fill-bar-hot" />;
const markLine = (line: typeof LOUD | typeof QUIET) => <line x1="5" x2="5" y1="0" y2="12" {...line} />;

const NONE: readonly Mark[] = [];
const NO_DAYS: ReadonlySet<string> = new Set();
