/** Minutes in words: "2 h 30 min". */
export function estimateText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const MOST_MINUTES = 2_147_483_647;
const UNIT_MINUTES: Record<string, number> = { m: 1, h: 60 };

/**
 * What somebody typed, in minutes: "90", "90m", "1.5h", "1,5 h", "2h 30m". null when nothing was typed; undefined when it
 * is no time, or more than the server takes.
 */
export function parseEstimate(text: string): number | null | undefined {
  const words = text.trim().toLowerCase().replaceAll(",", ".");
  if (words === "") return null;
  const whole = /^(?:\d+(?:\.\d+)?\s*(?:h|hours?|m|min|minutes?)?\s*)+$/.exec(words);
  if (!whole) return undefined;
  const parts = [...words.matchAll(/(\d+(?:\.\d+)?)\s*([hm])?/g)];
  // A bare number stands alone: "2h 30" could be anything.
  if (parts.length > 1 && parts.some(([, , unit]) => unit === undefined)) return undefined;
  const minutes = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (UNIT_MINUTES[unit ?? "m"] ?? 1),
    0,
  );
  const rounded = Math.round(minutes);
  return rounded <= MOST_MINUTES ? rounded : undefined;
}
