/** The first words of a Markdown text in one line, without its marks. */
export function firstWords(text: string): string {
  return text
    .slice(0, 400)
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|```.*)(?:\s+|$)/gm, "")
    .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/\*+|`+|~~/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
