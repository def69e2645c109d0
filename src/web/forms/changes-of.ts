/**
 * The fields that differ from when the form was opened. Only these are sent, so that concurrent changes to the others
 * are kept.
 */
export function changesOf<T extends object>(start: T, now: T): Partial<T> {
  const fields = Object.keys(now) as (keyof T)[];
  const changed = fields.filter((field) => !Object.is(start[field], now[field]));
  return Object.fromEntries(changed.map((field) => [field, now[field]])) as Partial<T>;
}

export const isChanged = <T extends object>(start: T, now: T): boolean =>
  Object.keys(changesOf(start, now)).length > 0;

/** Blank optional text is sent as null. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text);
