import type { Token } from "markdown-it";
import { oneLine } from "./one-line.ts";
import { parseMarkdown } from "./parser.ts";

/** The words of a Markdown text without its syntax, with a line for each block. HTML counts as text. */
export function plainText(text: string): string {
  return plainTokens(parseMarkdown(text));
}

/** The words of a Markdown text in one line, for excerpts. */
export function plainLine(text: string): string {
  return oneLine(blocksOf(parseMarkdown(text)));
}

export function plainTokens(tokens: Token[]): string {
  return blocksOf(tokens)
    .filter((block) => block !== "")
    .join("\n");
}

const blocksOf = (tokens: Token[]): string[] =>
  tokens.flatMap((token) => {
    if (token.type === "inline") return [inlineText(token.children ?? [])];
    return BLOCKS.has(token.type) ? [token.content.trimEnd()] : [];
  });

const BLOCKS = new Set(["fence", "code_block", "html_block"]);
const BREAKS = new Set(["softbreak", "hardbreak"]);

const inlineText = (tokens: Token[]): string =>
  tokens
    .map(({ type, content, meta }) => {
      if (type === "task") return meta?.["done"] ? "☑ " : "☐ ";
      return BREAKS.has(type) ? "\n" : content;
    })
    .join("")
    .trim();
