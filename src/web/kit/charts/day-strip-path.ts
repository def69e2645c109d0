import { unitOf } from "../count-text.ts";

/** SVG path strings for the bars: one for ordinary days, one for highlighted days. */
export type StripPaths = { usual: string; hot: string };

/**
 * Draws bars of equal width, the highest count filling the height. `counts` starts with the oldest day. A day without
 * events gets a baseline of 1 px and any other day at least 2 px, so that one event among thousands stays visible.
 */
export function stripPaths(
  counts: readonly number[],
  width: number,
  height: number,
  isHot: (index: number) => boolean = () => false,
): StripPaths {
  const paths: StripPaths = { usual: "", hot: "" };
  const most = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length);
  const bar = Math.max(1, Math.floor(step) - 1);
  for (const [index, count] of counts.entries()) {
    const high = count <= 0 ? 1 : Math.max(2, Math.round((count / most) * height));
    paths[isHot(index) ? "hot" : "usual"] +=
      `M${Math.round(index * step)} ${height}h${bar}v-${high}h-${bar}z`;
  }
  return paths;
}

/** The strip as text: "14 days: 120 in total, at most 60 in a day, 3 on the last day". */
export function stripText(counts: readonly number[], unit: string): string {
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === 0) return `No ${unit} in ${counts.length} days`;
  return `${sum} ${unitOf(sum, unit)} in ${counts.length} days, at most ${Math.max(...counts)} in a day, ${counts.at(-1) ?? 0} on the last`;
}
