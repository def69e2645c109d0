import { ChartFrame, type Plot } from "./chart-frame.tsx";
import { exactCount } from "./count-text.ts";
import { axisMax } from "./scale.ts";
import { dayText } from "./time-text.ts";

type Series = {
  name: string;
  /** One value per day; null for future days. */
  values: readonly (number | null)[];
  /** `scope` is a dashed line, `done` a solid one with a filled area, `ideal` a dotted one. */
  kind: "scope" | "done" | "ideal";
};

/** Scope and completed work per day. */
export function LineChart({
  title,
  days,
  series,
  unit = "issues",
  format = exactCount,
}: {
  title: string;
  days: readonly string[];
  series: readonly Series[];
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

function Line({ line, plot, at }: { line: Series; plot: Plot; at: number | null }) {
  const points = line.values.flatMap((value, index) =>
    value === null ? [] : [{ x: plot.x(index), y: plot.y(value) }],
  );
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const path = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const value = at === null ? null : (line.values[at] ?? null);
  return (
    <>
      {line.kind === "done" && <path d={`${path}V${plot.y(0)}H${first.x}z`} className="fill-accent-tint" />}
      <path
        d={path}
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
