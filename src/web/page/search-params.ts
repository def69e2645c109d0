/** The URL's query holds plain text, `?view=active&query=12`, never JSON. */

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

/** Validates a route's search: keeps these parameters, as text. */
export function texts<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) =>
        typeof search[name] === "string" && search[name] ? [[name, search[name]]] : [],
      ),
    ) as { [name in Name]?: string };
}

/** Leaves out empty parameters, so that the URL names only what is selected. */
export function given<T extends Record<string, string | undefined>>(search: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as {
    [K in keyof T]?: string;
  };
}
