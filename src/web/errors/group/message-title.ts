const MAX_TITLE = 240;

/** The first line of a message, shortened to what fits a heading; empty if there is no text. */
export function messageTitle(message: string): string {
  const line = message.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).trimEnd()}…` : line;
}
