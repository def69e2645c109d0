import MarkdownIt from "markdown-it";
import { mentionPieces } from "./mentions.ts";

/** Longer text is truncated. This is the limit of a description. */
export const MOST_SHOWN = 65_535;

/**
 * Renders Markdown as HTML that is safe to insert: raw HTML is escaped, links go to http, https and mailto only, and
 * images become links. Headings start at h3, below the page's own. `names` (lower case) are the usernames to
 * highlight.
 */
export function markdownHtml(text: string, names: readonly string[]): string {
  const env: Env = { names: new Set(names) };
  return markdown.render(text.length > MOST_SHOWN ? text.slice(0, MOST_SHOWN) : text, env);
}

type Env = { names: ReadonlySet<string> };

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });
const { escapeHtml } = markdown.utils;

markdown.validateLink = (url) => /^(?:https?:\/\/|mailto:)/i.test(url.trim());

markdown.renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
  const token = tokens[index];
  token?.attrSet("rel", "noopener noreferrer nofollow");
  token?.attrSet("target", "_blank");
  return self.renderToken(tokens, index, options);
};

markdown.renderer.rules["image"] = (tokens, index) => {
  const token = tokens[index];
  const source = String(token?.attrGet("src") ?? "");
  const words = token?.content || source;
  return `<a href="${escapeHtml(source)}" rel="noopener noreferrer nofollow" target="_blank">${escapeHtml(words)}</a>`;
};

for (const rule of ["heading_open", "heading_close"])
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (token !== undefined) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    return self.renderToken(tokens, index, options);
  };

markdown.renderer.rules["text"] = (tokens, index, _options, env) => {
  const { names } = env as Env;
  const content = tokens[index]?.content ?? "";
  const before = tokens[index - 1];
  const isAddress = before?.type === "link_open" && before.markup === "autolink";
  if (isAddress || names.size === 0 || !content.includes("@")) return escapeHtml(content);
  return mentionPieces(content, names)
    .map((piece) =>
      piece.mention ? `<span class="mention">${escapeHtml(piece.text)}</span>` : escapeHtml(piece.text),
    )
    .join("");
};
