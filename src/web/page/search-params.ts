/** The address bar's query: plain text, `?view=active&query=12`, never JSON. */

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (typeof value === "number" || (typeof value === "string" && value !== ""))
      params.set(name, String(value));
  return params.size === 0 ? "" : `?${params}`;
}

/** A route's search: these names, as text, where given. */
export function texts<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) =>
        typeof search[name] === "string" && search[name] ? [[name, search[name]]] : [],
      ),
    ) as { [name in Name]?: string };
}

/** Without what is empty: an address says only what is chosen. */
export function given<T extends Record<string, string | undefined>>(search: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as {
    [K in keyof T]?: string;
  };
}
