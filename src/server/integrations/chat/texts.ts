const ELLIPSIS = "…";

/** A text of an event; anything else is empty. Without control characters, which chats show as boxes or refuse. */
export const readText = (value: unknown): string =>
  typeof value === "string"
    ? value
        .toWellFormed()
        .replaceAll(/\r\n?/g, "\n")
        // oxlint-disable-next-line no-control-regex
        .replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029]/g, " ")
        .trim()
    : "";

export const toLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

type Cut = {
  max: number;
  /** Default: none. */
  escape?: (character: string) => string;
  /** What `max` limits. Default: UTF-16 units, of which there are at least as many as characters. */
  measure?: (text: string) => number;
};

/** The text, escaped, or as much of it as fits together with an ellipsis. Cuts neither characters nor escape sequences. */
export function fitText(
  text: string,
  { max, escape = (character) => character, measure = (part) => part.length }: Cut,
): string {
  let size = 0;
  let fitting = "";
  let cut = "";
  const reserve = measure(ELLIPSIS);
  for (const character of text) {
    const escaped = escape(character);
    size += measure(escaped);
    if (size > max) return `${cut}${ELLIPSIS}`;
    fitting += escaped;
    if (size <= max - reserve) cut = fitting;
  }
  return fitting;
}

/** For `<b>`, `<a>` and Slack's links. */
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export const escapeEntity = (character: string): string => ENTITIES[character] ?? character;
