/** Without what is empty: an address says only what is chosen. */
export function given<T extends Record<string, string | undefined>>(search: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as {
    [K in keyof T]?: string;
  };
}
