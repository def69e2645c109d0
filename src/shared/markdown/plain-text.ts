import type { Token } from "markdown-it";
import { parseMarkdown } from "./parser.ts";

/** The words of a Markdown text without its syntax, with a line for each block. HTML is text, as where Markdown is shown. */
export function plainText(text: string): string {
  return plainTokens(parseMarkdown(text));
}

export function plainTokens(tokens: Token[]): string {
  const lines = tokens.flatMap((token) => {
    if (token.type === "inline") return [inlineText(token.children ?? [])];
    return BLOCKS.has(token.type) ? [token.content.trimEnd()] : [];
  });
  return lines.filter((line) => line !== "").join("\n");
}

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
