import { stripPaths, stripText } from "./day-strip-path.ts";

type Props = {
  /** One count per day, the oldest first. */
  counts: readonly number[];
  /** Indexes of days that stand out: those since it regressed. */
  hot?: ReadonlySet<number>;
  /** What is counted, in the plural. */
  unit?: string;
  width?: number;
  height?: number;
};

/** A fortnight or a month at a glance, drawn as one path for the usual days and one for the hot. */
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
