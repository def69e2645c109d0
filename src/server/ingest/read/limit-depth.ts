import { cut, cutBetweenWords, isRecord } from "./coerce.ts";

const DEEPEST = 10;
const MAX_ENTRIES = 500;
const MAX_TEXT_LENGTH = 16_384;
const MAX_KEY_LENGTH = 255;

/**
 * Limits a JSON value to what can be stored: replaces values that are nested too deeply with a note and cuts long texts
 * and lists. Returns a value within the limits, as most are, unchanged. Calls `onCut` for each part that was cut.
 */
export const limitDepth = (value: unknown, onCut: () => void = () => {}): unknown =>
  fits(value, DEEPEST) ? value : limited(value, DEEPEST, onCut);

function fits(value: unknown, depth: number): boolean {
  if (typeof value === "string") return cut(value, MAX_TEXT_LENGTH) === value;
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value))
    return value.length <= MAX_ENTRIES && value.every((item) => fits(item, depth - 1));
  let entries = 0;
  for (const key in value) {
    if (++entries > MAX_ENTRIES || cut(key, MAX_KEY_LENGTH) !== key) return false;
    if (!fits((value as Record<string, unknown>)[key], depth - 1)) return false;
  }
  return true;
}

function limited(value: unknown, depth: number, onCut: () => void): unknown {
  if (typeof value === "string") return cutTo(MAX_TEXT_LENGTH, value, onCut);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) {
    onCut();
    return "[nested too deeply]";
  }
  if (Array.isArray(value)) return most(value, onCut).map((item) => limited(item, depth - 1, onCut));
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    most(Object.entries(value), onCut).map(([key, inner]) => [
      cutTo(MAX_KEY_LENGTH, key, onCut),
      limited(inner, depth - 1, onCut),
    ]),
  );
}

/** Repairing a text does not change its length. */
function cutTo(max: number, text: string, onCut: () => void): string {
  const short = cutBetweenWords(text, max);
  if (short.length < text.length) onCut();
  return short;
}

function most<Item>(items: Item[], onCut: () => void): Item[] {
  if (items.length <= MAX_ENTRIES) return items;
  onCut();
  return items.slice(0, MAX_ENTRIES);
}
