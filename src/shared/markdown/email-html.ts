import type { Token } from "markdown-it";
import { envOf, tokensHtml } from "./html.ts";
import { parseMarkdown } from "./parser.ts";

/** The most characters of text, unless the caller says otherwise; the rest is left out. */
const LENGTH = 500;

/**
 * The beginning of a Markdown text as HTML for an email, with inline styles and absolute addresses. Images become links,
 * and issues and reports of the project are links.
 */
export function emailHtml(
  text: string,
  publicUrl: string,
  projectKey: string | undefined,
  length = LENGTH,
): string {
  const projectKeys = projectKey === undefined ? [] : [projectKey];
  const env = envOf({ projectKeys, projectKey }, publicUrl);
  const tokens = beginningOf(parseMarkdown(text, env), { left: length });
  addStyles(tokens);
  return tokensHtml(tokens, env).trim();
}

/** The tokens up to `left` characters of text. Elements that are open at that point are closed. */
function beginningOf(tokens: Token[], room: { left: number }): Token[] {
  let skipped = 0;
  return tokens.filter((token) => {
    if (token.nesting === 1 && room.left <= 0) skipped++;
    else if (token.nesting === -1 && skipped > 0) skipped--;
    else if (token.nesting !== 0) return true;
    else if (room.left > 0) {
      if (token.type === "inline") token.children = beginningOf(token.children ?? [], room);
      else shorten(token, room);
      return true;
    }
    return false;
  });
}

function shorten(token: Token, room: { left: number }): void {
  const { length } = token.content;
  if (length > room.left) token.content = `${token.content.slice(0, room.left).toWellFormed()}…`;
  room.left -= length;
}

function addStyles(tokens: Token[]): void {
  for (const token of tokens) {
    const style = token.nesting === -1 ? undefined : (STYLES[token.type] ?? STYLES[token.tag]);
    if (style !== undefined) token.attrSet("style", [token.attrGet("style") ?? [], style].flat().join(";"));
    addStyles(token.children ?? []);
  }
}

const MARGIN = "margin:0 0 12px";
const MONOSPACE = "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px";
const HEADING = "margin:16px 0 8px;font-size:16px;line-height:1.3";
const LIST = `${MARGIN};padding:0 0 0 24px`;
const CELL = "border:1px solid #d8d8d4;padding:4px 8px";
const CODE = `${MARGIN};padding:8px 12px;background:#f4f4f2;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;${MONOSPACE}`;

/** By the type of the token, or by its tag. Email clients ignore style sheets. */
const STYLES: Record<string, string> = {
  p: `${MARGIN};overflow-wrap:anywhere`,
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((tag) => [tag, HEADING])),
  ul: LIST,
  ol: LIST,
  blockquote: "margin:0 0 12px;padding:0 0 0 12px;border-left:3px solid #d8d8d4;color:#5c5c57",
  table: `${MARGIN};border-collapse:collapse`,
  th: CELL,
  td: CELL,
  fence: CODE,
  code_block: CODE,
  code_inline: `padding:1px 4px;background:#f4f4f2;border-radius:4px;${MONOSPACE}`,
};
