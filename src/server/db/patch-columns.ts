import { isDeepStrictEqual } from "node:util";

/** The columns a PATCH changes: those that were sent. undefined when there are none, and nothing to write. */
export function sentColumns<T extends object>(columns: T): T | undefined {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

/**
 * Of the columns that were sent, those whose values are others than before; undefined when there are none: then nothing
 * is written, and nothing recorded. Lists are sets.
 */
export function changedColumns<T extends object>(
  before: Record<keyof T, unknown>,
  columns: T,
): Partial<T> | undefined {
  const entries = Object.entries(columns).filter(
    ([name, value]) =>
      value !== undefined && !isDeepStrictEqual(inOrder(value), inOrder(before[name as keyof T])),
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}

const inOrder = (value: unknown) => (Array.isArray(value) ? value.map(String).toSorted() : value);
