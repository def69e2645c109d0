import { isDeepStrictEqual } from "node:util";

/** The columns that a PATCH request contains; undefined if it contains none. */
export function sentColumns<T extends object>(columns: T): T | undefined {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

/**
 * The columns of a PATCH request whose values differ from the row's; undefined if there are none, so that nothing is
 * written or recorded. Lists are compared as sets.
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
