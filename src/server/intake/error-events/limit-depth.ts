import { cut, isRecord } from "./coerce.ts";

const DEEPEST = 10;
const MOST_ENTRIES = 500;
const MAX_TEXT_LENGTH = 16_384;

/**
 * A copy of a JSON value that can be written as JSON and stored: values that are nested too deeply become a note, long texts
 * and lists are cut.
 */
export function limitDepth(value: unknown, depth = DEEPEST): unknown {
  if (typeof value === "string") return cut(value, MAX_TEXT_LENGTH);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "[nested too deeply]";
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((item) => limitDepth(item, depth - 1));
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([key, inner]) => [cut(key, 255), limitDepth(inner, depth - 1)]),
  );
}
