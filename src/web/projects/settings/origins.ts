/** The origins in a text with one per line. Spaces, commas and a slash at the end are left out, so that addresses can be pasted. */
export const originsOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((origin) => origin.replace(/\/+$/, ""))
    .filter((origin) => origin !== "");

/** The server's first message about an origin, with its position: "Origin 2 must be …". */
export function originErrorOf(errors: Record<string, string[]>): string | undefined {
  for (const [field, [message]] of Object.entries(errors)) {
    const [, name, index] = /^(allowed_origins)(?:\.(\d+))?$/.exec(field) ?? [];
    if (name === undefined || message === undefined) continue;
    return index === undefined ? `The list ${message}.` : `Origin ${Number(index) + 1} ${message}.`;
  }
  return undefined;
}
