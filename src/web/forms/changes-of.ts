/**
 * The fields that are no longer as they were when a form opened: all that is sent, so that what somebody else changed
 * meanwhile in the others stays.
 */
export function changesOf<T extends object>(start: T, now: T): Partial<T> {
  const fields = Object.keys(now) as (keyof T)[];
  const changed = fields.filter((field) => !Object.is(start[field], now[field]));
  return Object.fromEntries(changed.map((field) => [field, now[field]])) as Partial<T>;
}

export const isChanged = <T extends object>(start: T, now: T): boolean =>
  Object.keys(changesOf(start, now)).length > 0;

/** A text that may be left out, as the server takes it. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text);
