import { ChartFrame, PLOT, type Plot } from "./chart-frame.tsx";
import { exactCount } from "../count-text.ts";
import { axisMax } from "./scale.ts";
import { dayText } from "../dates/time-text.ts";

type Series = {
  name: string;
  /** One value per day; null for future days. */
  values: readonly (number | null)[];
  /** `scope` is a dashed line, `done` a solid one, both with a filled area, `ideal` a dotted one. */
  kind: "scope" | "done" | "ideal";
};

const FILLS = { scope: "fill-sunken", done: "fill-accent-tint", ideal: undefined } as const;

/** Scope and completed work per day. */
export function LineChart({
  title,
  days,
  series,
  today,
  unit = "issues",
  format = exactCount,
}: {
  title: string;
  days: readonly string[];
  series: readonly Series[];
  /** Marked with a hairline if it is one of the days. */
  today?: string;
  unit?: string;
  /** Formats the values for the text alternatives. */
  format?: (value: number) => string;
}) {
  const max = axisMax(series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const word = (value: number | null | undefined) =>
    value === null || value === undefined ? "—" : format(value);
  const text = (index: number) => {
    const day = days[index];
    if (day === undefined) return "";
    return [dayText(day), ...series.map(({ name, values }) => `${name} ${word(values[index])}`)].join(" · ");
  };
  return (
    <div>
      <ChartFrame
        title={title}
        labels={days.map((day) => dayText(day, false))}
        max={max}
        valueText={text}
        columns={["Day", ...series.map(({ name }) => `${name} (${unit})`)]}
        rows={days.map((day, index) => [dayText(day), ...series.map(({ values }) => word(values[index]))])}
      >
        {(plot, at) => (
          <>
            {series.map((line) => (
              <Area key={line.name} line={line} plot={plot} />
            ))}
            <TodayLine index={days.indexOf(today ?? "")} plot={plot} />
            {at !== null && (
              <line x1={plot.x(at)} x2={plot.x(at)} y1={12} y2={plot.y(0)} className="stroke-line-strong" />
            )}
            {series.map((line) => (
              <Line key={line.name} line={line} plot={plot} at={at} />
            ))}
          </>
        )}
      </ChartFrame>
      <ul className="flex flex-wrap gap-x-4 text-sm text-text-2" aria-hidden>
        {series.map(({ name, kind }) => (
          <li key={name} className="flex items-center gap-1.5">
            <svg width="20" height="8">
              <line
                x1="0"
                x2="20"
                y1="4"
                y2="4"
                className={STROKES[kind]}
                strokeWidth="2"
                strokeDasharray={DASHES[kind]}
              />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The points of a line as an SVG path, and the position of the first one. */
function pathOf(line: Series, plot: Plot) {
  const points = line.values.flatMap((value, index) =>
    value === null ? [] : [{ x: plot.x(index), y: plot.y(value) }],
  );
  const [first] = points;
  return first && { path: `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`, start: first.x };
}

function Area({ line, plot }: { line: Series; plot: Plot }) {
  const fill = FILLS[line.kind];
  const drawn = pathOf(line, plot);
  if (fill === undefined || drawn === undefined) return null;
  return <path d={`${drawn.path}V${plot.y(0)}H${drawn.start}z`} className={fill} />;
}

function TodayLine({ index, plot }: { index: number; plot: Plot }) {
  if (index < 0) return null;
  const x = plot.x(index);
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={PLOT.top - 4}
        y2={plot.y(0)}
        className="stroke-accent"
        shapeRendering="crispEdges"
      />
      <text
        x={x}
        y={12}
        textAnchor={x > plot.width - 30 ? "end" : "middle"}
        className="fill-accent-text text-xs"
      >
        Today
      </text>
    </g>
  );
}

function Line({ line, plot, at }: { line: Series; plot: Plot; at: number | null }) {
  const drawn = pathOf(line, plot);
  if (drawn === undefined) return null;
  const value = at === null ? null : (line.values[at] ?? null);
  return (
    <>
      <path
        d={drawn.path}
        fill="none"
        strokeWidth={line.kind === "ideal" ? 1.5 : 2}
        strokeLinejoin="round"
        strokeLinecap="round"
        strokeDasharray={DASHES[line.kind]}
        className={STROKES[line.kind]}
      />
      {at !== null && value !== null && line.kind !== "ideal" && (
        <circle
          cx={plot.x(at)}
          cy={plot.y(value)}
          r="3.5"
          className={line.kind === "scope" ? "fill-line-strong" : "fill-accent"}
        />
      )}
    </>
  );
}

const STROKES = { scope: "stroke-line-strong", done: "stroke-accent", ideal: "stroke-text-3" } as const;
const DASHES = { scope: "4 3", done: undefined, ideal: "1 4" } as const;
