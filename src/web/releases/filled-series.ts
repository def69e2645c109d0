import type { ReleaseHealthPoint } from "../../shared/release-health.ts";

type Interval = { ms: number; count: number };

const HOUR_MS = 3_600_000;

/** How many points a chart shows. */
const INTERVALS = {
  day: { ms: 24 * HOUR_MS, count: 30 },
  hour: { ms: HOUR_MS, count: 48 },
} as const satisfies Record<string, Interval>;

/** The last days or hours up to now, oldest first, with zeros for those without sessions. */
export function filledSeries(
  points: readonly ReleaseHealthPoint[],
  interval: keyof typeof INTERVALS,
  now: number,
): ReleaseHealthPoint[] {
  const { ms, count } = INTERVALS[interval];
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  const last = Math.max(Math.floor(now / ms) * ms, ...byTime.keys());
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * ms;
    return (
      byTime.get(at) ?? {
        ...NO_SESSIONS,
        at: new Date(at).toISOString(),
        users: interval === "day" ? 0 : null,
      }
    );
  });
}

const NO_SESSIONS = { sessions: 0, errored: 0, crashed: 0, abnormal: 0 };
