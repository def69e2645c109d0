/** `150` → "2h 30m", as it can be typed. */
export function estimateText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h ${rest}m`;
}

export const ESTIMATE_ERROR = "Enter a time such as 45m, 2h or 1h 30m.";

const MAX_MINUTES = 2_147_483_647;
/** A number without a unit must stand alone, because "2h 30" is ambiguous. */
const BARE = /^\d+(?:\.\d+)?$/;
/** Every repetition ends in a unit, so the pattern cannot backtrack. */
const WITH_UNITS = /^(?:\d+(?:\.\d+)?\s*(?:hours?|h|minutes?|min|m)\s*)+$/;
const UNIT_MINUTES: Record<string, number> = { m: 1, h: 60 };

/**
 * Parses "90", "90m", "1.5h", "1,5 h" or "2h 30m" into minutes. null for empty input; undefined for invalid input or
 * more than the server accepts.
 */
export function parseEstimate(text: string): number | null | undefined {
  const words = text.trim().toLowerCase().replaceAll(",", ".");
  if (words === "") return null;
  if (!BARE.test(words) && !WITH_UNITS.test(words)) return undefined;
  const parts = [...words.matchAll(/(\d+(?:\.\d+)?)\s*([hm])?/g)];
  const minutes = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (UNIT_MINUTES[unit ?? "m"] ?? 1),
    0,
  );
  const rounded = Math.round(minutes);
  return rounded <= MAX_MINUTES ? rounded : undefined;
}
