import { stripPaths, stripText } from "./day-strip-path.ts";

type Props = {
  /** One count per day, oldest first. */
  counts: readonly number[];
  /** Indexes of highlighted days: those since the regression. */
  hot?: ReadonlySet<number>;
  /** The counted noun, in the plural. */
  unit?: string;
  width?: number;
  height?: number;
};

/** A compact bar chart of 14 or 30 days. Two SVG paths keep long lists fast. */
export function DayStrip({ counts, hot, unit = "events", width = 84, height = 24 }: Props) {
  const paths = stripPaths(counts, width, height, (index) => hot?.has(index) ?? false);
  return (
    <svg
      role="img"
      aria-label={stripText(counts, unit)}
      width={width}
      height={height}
      className="shrink-0"
      shapeRendering="crispEdges"
    >
      <path d={paths.usual} className="fill-bar" />
      {paths.hot !== "" && <path d={paths.hot} className="fill-bar-hot" />}
    </svg>
  );
}
