/** The columns a PATCH changes: those that were sent. undefined when there are none, and nothing to write. */
export function sent<T extends object>(columns: T): T | undefined {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}
