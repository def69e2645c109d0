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

/** Texts may be written from right to left; the first letter decides for each block. */
const DIRECTED = new Set([
  "paragraph_open",
  "heading_open",
  "bullet_list_open",
  "ordered_list_open",
  "td_open",
  "th_open",
]);

markdown.core.ruler.push("direction", ({ tokens }) => {
  for (const token of tokens) if (DIRECTED.has(token.type)) token.attrSet("dir", "auto");
});

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
  const seen = SEEN.exec(content);
  if (seen)
    return `${seen[1]}: <time datetime="${seen[2]}" title="${seen[2]}">${utcTime(seen[2] ?? "")}</time>`;
  const before = tokens[index - 1];
  const isAddress = before?.type === "link_open" && before.markup === "autolink";
  if (isAddress || names.size === 0 || !content.includes("@")) return escapeHtml(content);
  return mentionPieces(content, names)
    .map((piece) =>
      piece.mention ? `<span class="mention">${escapeHtml(piece.text)}</span>` : escapeHtml(piece.text),
    )
    .join("");
};

/** A line of an issue that was created from an error group. The stored text has the exact time for programs. */
const SEEN = /^(First seen|Last seen): (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00)$/;

const utcFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
  timeZoneName: "short",
});

/** "20 Nov 2026, 14:03 UTC". */
const utcTime = (iso: string): string => {
  const moment = Date.parse(iso);
  return Number.isNaN(moment) ? iso : utcFormat.format(moment);
};
