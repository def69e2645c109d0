/** Runs `read` and answers undefined when it throws: a thrown value may have getters and proxies that do. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** One property of anything at all. */
export function property(from: unknown, name: string): unknown {
  // Not by `attempt`: this is called some fifty times for each error, and a closure costs more than the read.
  try {
    return (from as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** The value when it is a string with something in it. */
export function filled(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
