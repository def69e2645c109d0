/** Returns what `read` returns, or undefined if it throws: a thrown value may have getters or proxies that throw. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Reads a property of any value; undefined if there is none or reading it throws. */
export function property(from: unknown, name: string): unknown {
  // Does not use `attempt`: this is called about fifty times per error, and a closure costs more than the read.
  try {
    return (from as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a non-empty string. */
export function filled(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
