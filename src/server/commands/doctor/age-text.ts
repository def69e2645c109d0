/** In minutes below two hours, in hours below two days, otherwise in days. */
export function ageText(seconds: number): string {
  if (seconds < 2 * 3_600) return countOf(seconds / 60, "minute");
  if (seconds < 2 * 86_400) return countOf(seconds / 3_600, "hour");
  return countOf(seconds / 86_400, "day");
}

function countOf(number: number, unit: string): string {
  const rounded = Math.max(0, Math.round(number));
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
