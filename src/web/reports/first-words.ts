import { oneLine } from "../../shared/markdown/one-line.ts";

/** The first words of a Markdown text in one line, without its marks. */
export function firstWords(text: string): string {
  const blocks: string[] = [];
  let isNew = true;
  for (const line of text.slice(0, 400).split("\n")) {
    const mark = /^\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|```.*)(?:\s+|$)/.exec(line)?.[0] ?? "";
    const words = line
      .slice(mark.length)
      .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
      .replaceAll(/\*+|`+|~~/g, "");
    if (isNew || mark !== "") blocks.push(words);
    else blocks.push(`${blocks.pop() ?? ""} ${words}`);
    isNew = line.trim() === "" || mark.includes("#");
  }
  return oneLine(blocks);
}
