import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from "react";
import { Table2 } from "lucide-react";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";
import { axisTicks } from "./scale.ts";
import { useWidth } from "../use-width.ts";

/** In pixels. Between the margins, 160 remain for the data. */
export const PLOT = { height: 200, top: 20, left: 36, right: 8, bottom: 20 } as const;

export type Plot = {
  width: number;
  x: (index: number) => number;
  step: number;
  y: (value: number) => number;
};

type Props = {
  title: string;
  /** Labels along the axis, such as days. */
  labels: readonly string[];
  max: number;
  /** Describes the data point under the pointer or keyboard cursor. */
  valueText: (index: number) => string;
  columns: readonly string[];
  /** One row per data point, including its label. */
  rows: readonly (readonly string[])[];
  /** Draws into the plot. `at` is the active data point. */
  children: (plot: Plot, at: number | null) => ReactNode;
};

/**
 * The frame of every chart: axis, tooltip, arrow keys to move between data points, and the same numbers as a table.
 */
export function ChartFrame({ title, labels, max, valueText, columns, rows, children }: Props) {
  const id = useId();
  const [observeWidth, width] = useWidth(600);
  const [at, setAt] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  const plot = plotOf(width, labels.length, max);
  const last = labels.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfter(event.key, at ?? last, last);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };

  return (
    <figure aria-labelledby={`${id}-title`} className="flex flex-col gap-1">
      <figcaption className="flex items-center gap-2">
        <span id={`${id}-title`} className="flex-1 font-medium">
          {title}
        </span>
        <output aria-hidden className="truncate text-sm text-text-2">
          {at === null ? "" : valueText(at)}
        </output>
        <IconButton
          size="sm"
          label="Show as table"
          icon={Table2}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        />
      </figcaption>
      <div ref={observeWidth} className={cx("relative", asTable && "hidden")}>
        <div
          role="slider"
          tabIndex={0}
          aria-labelledby={`${id}-title`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={at ?? Math.max(0, last)}
          aria-valuetext={last < 0 ? "Nothing" : valueText(at ?? last)}
          aria-readonly
          className="rounded-sm"
          onKeyDown={onKeyDown}
          onFocus={() => setAt(at ?? last)}
          onBlur={() => setAt(null)}
          onPointerMove={(event) => setAt(pointUnder(event, plot, last))}
          onPointerLeave={() => setAt(null)}
        >
          <svg aria-hidden width={width} height={PLOT.height} className="block max-w-full">
            <Axis plot={plot} max={max} labels={labels} />
            {children(plot, at)}
          </svg>
        </div>
      </div>
      {asTable && <DataTable title={title} columns={columns} rows={rows} />}
    </figure>
  );
}

/** The data point that a key moves to; undefined for other keys. */
function pointAfter(key: string, at: number, last: number): number | undefined {
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}

function pointUnder({ clientX, currentTarget }: PointerEvent, plot: Plot, last: number): number | null {
  const { left } = currentTarget.getBoundingClientRect();
  const index = Math.floor((clientX - left - PLOT.left) / plot.step);
  return index >= 0 && index <= last ? index : null;
}

function plotOf(width: number, count: number, max: number): Plot {
  const inner = Math.max(1, width - PLOT.left - PLOT.right);
  const step = inner / Math.max(1, count);
  const bottom = PLOT.height - PLOT.bottom;
  return {
    width,
    step,
    x: (index) => PLOT.left + (index + 0.5) * step,
    y: (value) => bottom - (value / max) * (bottom - PLOT.top),
  };
}

/** The lines of the values, and as many labels as have room, always with the last one. */
function Axis({ plot, max, labels }: { plot: Plot; max: number; labels: readonly string[] }) {
  const { width, step } = plot;
  const last = labels.length - 1;
  const every = Math.max(1, Math.ceil(68 / step));
  return (
    <>
      {axisTicks(max).map((tick) => (
        <g key={tick}>
          <line
            x1={PLOT.left}
            x2={width - PLOT.right}
            y1={plot.y(tick)}
            y2={plot.y(tick)}
            className="stroke-line"
            shapeRendering="crispEdges"
          />
          <text
            x={PLOT.left - 6}
            y={plot.y(tick)}
            dy="0.32em"
            textAnchor="end"
            className="fill-text-3 text-xs"
          >
            {tick.toLocaleString("en", { notation: "compact" })}
          </text>
        </g>
      ))}
      {labels.map(
        (label, index) =>
          (last - index) % every === 0 && (
            <text
              key={label}
              x={plot.x(index)}
              y={PLOT.height - 4}
              textAnchor={index === last && step < 40 ? "end" : "middle"}
              className="fill-text-3 text-xs"
            >
              {label}
            </text>
          ),
      )}
    </>
  );
}

function DataTable({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={title}
      className="max-h-60 overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-start">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={cx("px-3 py-1 font-medium", index === 0 ? "text-start" : "text-end")}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]} className="border-t border-line">
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={columns[index]} scope="row" className="px-3 py-1 text-start font-normal">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[index]} className="px-3 py-1 text-end">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
