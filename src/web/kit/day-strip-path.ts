/** Two SVG path strings of bars, one of the usual days and one of the hot ones; `counts` oldest first. */
export type StripPaths = { usual: string; hot: string };

/**
 * Bars of equal width in `width` × `height`, the highest count as high as the strip. A day without any gets a base line
 * of 1, a day with any at least 2, so that one event among thousands is still seen.
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

/** What the strip shows, in words: "14 days: 120 in all, at most 60 in a day, 3 on the last". */
export function stripText(counts: readonly number[], unit: string): string {
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === 0) return `No ${unit} in ${counts.length} days`;
  return `${sum} ${unit} in ${counts.length} days, at most ${Math.max(...counts)} in a day, ${counts.at(-1) ?? 0} on the last`;
}
