import type { Env, RendererRule, Token } from "markdown-it";
import { foldCase } from "../fold-case.ts";
import { isAttachment } from "./safe-targets.ts";
import { markdown, parseMarkdown } from "./parser.ts";
import type { Reference } from "./references.ts";

/** The references that become links, because the reader can access what they refer to. */
export type Readable = {
  /** The usernames of people in lower case, each with the address of a page about the person, or "". */
  people?: ReadonlyMap<string, string>;
  /** The keys of the projects whose issues can be linked. */
  projectKeys?: readonly string[];
  /** The key of the text's project: `#32` is a report of it. */
  projectKey?: string | undefined;
  /** Whether the boxes of tasks are enabled. */
  mayTick?: boolean;
};

/**
 * Renders Markdown as HTML that is safe to insert: HTML in the text is escaped, links go to http, https, mailto and
 * uploaded files only, and images from elsewhere become links. Headings start at h3, below the page's own.
 */
export function markdownHtml(text: string, readable: Readable = {}): string {
  const env = envOf(readable);
  return tokensHtml(parseMarkdown(text, env), env);
}

/** For `base`, see `HtmlEnv`. */
export const envOf = (readable: Readable, base = ""): Env & { html: HtmlEnv } => ({
  html: {
    people: readable.people ?? new Map(),
    projectKeys: new Set(readable.projectKeys),
    projectKey: readable.projectKey,
    mayTick: readable.mayTick ?? false,
    base,
  },
});

export function tokensHtml(tokens: Token[], env: Env & { html: HtmlEnv }): string {
  return markdown.renderer.render(tokens, markdown.options, env);
}

type HtmlEnv = {
  people: ReadonlyMap<string, string>;
  projectKeys: ReadonlySet<string>;
  projectKey: string | undefined;
  mayTick: boolean;
  /** The origin for links to pages and files of Signalbox. If it is set, the HTML is for an email. */
  base: string;
};

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;
const htmlEnv = (env: Env | undefined) => (env as { html: HtmlEnv }).html;

/** Texts may be written from right to left; the first letter decides for each block. */
const DIRECTED = ["paragraph_open", "heading_open", "bullet_list_open", "ordered_list_open"];

const directed: RendererRule = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("dir", "auto");
  return self.renderToken(tokens, index, options);
};

for (const type of DIRECTED) rules[type] = directed;

// The content security policy of the web app forbids styles in HTML.
for (const type of ["td_open", "th_open"])
  rules[type] = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (htmlEnv(env).base !== "") return directed(tokens, index, options, env, self);
    const align = /^text-align:(left|right|center)$/.exec(String(token?.attrGet("style")))?.[1];
    return `<${token?.tag}${align ? ` align="${align}"` : ""} dir="auto">`;
  };

for (const type of ["heading_open", "heading_close"])
  rules[type] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (token === undefined) return "";
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    if (token.nesting === 1) token.attrSet("dir", "auto");
    return self.renderToken(tokens, index, options);
  };

const ELSEWHERE = 'rel="nofollow ugc noopener noreferrer" target="_blank"';

rules["link_open"] = (tokens, index, _options, env) => {
  const href = String(tokens[index]?.attrGet("href") ?? "");
  const title = tokens[index]?.attrGet("title");
  const words = title ? ` title="${escapeHtml(String(title))}"` : "";
  const to = isAttachment(href) ? htmlEnv(env).base + href : href;
  return `<a href="${escapeHtml(to)}"${words} ${ELSEWHERE}>`;
};

rules["image"] = (tokens, index, _options, env) => {
  const token = tokens[index];
  const source = String(token?.attrGet("src") ?? "");
  const words = escapeHtml(token?.content || (isAttachment(source) ? "Image" : source));
  const { base } = htmlEnv(env);
  if (isAttachment(source) && base === "")
    return `<img src="${escapeHtml(source)}" alt="${words}" loading="lazy">`;
  const to = isAttachment(source) ? base + source : source;
  // A link must not contain a link: [![image](…)](…).
  return token?.meta?.["inLink"] ? words : `<a href="${escapeHtml(to)}" ${ELSEWHERE}>${words}</a>`;
};

rules["html_inline"] = (tokens, index) => escapeHtml(tokens[index]?.content ?? "");
rules["html_block"] = (tokens, index) =>
  `<p dir="auto">${escapeHtml((tokens[index]?.content ?? "").trim()).replaceAll("\n", "<br>\n")}</p>\n`;

// Wide tables scroll in a box of their own. `display: block` on the table would hide its rows from screen readers.
rules["table_open"] = (tokens, index, options, _env, self) =>
  `<div class="scroll">${self.renderToken(tokens, index, options)}`;
rules["table_close"] = (tokens, index, options, _env, self) =>
  `${self.renderToken(tokens, index, options)}</div>\n`;

const COPY = '<button type="button" class="copy" aria-label="Copy code">Copy</button>';

rules["fence"] = (tokens, index, _options, env, self) => {
  const token = tokens[index];
  const language = /^[\w+#.-]{1,20}/.exec(token?.info.trim() ?? "")?.[0].toLowerCase();
  const named = language === undefined ? "" : ` class="language-${language}"`;
  const code = `<pre${token ? self.renderAttrs(token) : ""}><code${named}>${escapeHtml(token?.content ?? "")}</code></pre>`;
  return htmlEnv(env).base === "" ? `<div class="code">${COPY}${code}</div>\n` : `${code}\n`;
};

rules["code_block"] = rules["fence"];

rules["task"] = (tokens, index, _options, env) => {
  const token = tokens[index];
  if (token === undefined) return "";
  const { done, line, words } = token.meta as { done: boolean; line: number; words: string };
  const { mayTick, base } = htmlEnv(env);
  if (base !== "") return done ? "☑ " : "☐ ";
  return `<input type="checkbox" aria-label="${escapeHtml(words)}" data-line="${line}"${done ? " checked" : ""}${mayTick ? "" : " disabled"}> `;
};

rules["reference"] = (tokens, index, _options, env) => {
  const token = tokens[index];
  if (token === undefined) return "";
  const { to, inLink } = token.meta as { to: Reference; inLink: boolean };
  const words = escapeHtml(token.content);
  return referenceHtml(to, words, htmlEnv(env), inLink);
};

function referenceHtml(to: Reference, words: string, env: HtmlEnv, inLink: boolean): string {
  const { people, projectKeys, projectKey, base } = env;
  if (to.kind === "url")
    return `<a href="${escapeHtml(markdown.normalizeLink(to.href))}" ${ELSEWHERE}>${words}</a>`;
  if (to.kind === "person") {
    const name = foldCase(to.name);
    const href = people.get(name);
    if (href === undefined) return words;
    if (inLink || href === "") return `<span class="mention">${words}</span>`;
    return `<a class="mention" href="${escapeHtml(href)}" data-person="${escapeHtml(name)}">${words}</a>`;
  }
  if (to.kind === "issue")
    return projectKeys.has(to.projectKey)
      ? `<a href="${base}/projects/${to.projectKey}/issues/${to.projectKey}-${to.number}" data-issue="${to.projectKey}-${to.number}">${words}</a>`
      : words;
  return projectKey === undefined
    ? words
    : `<a href="${base}/projects/${projectKey}/reports/${to.id}" data-report="${to.id}">${words}</a>`;
}

rules["text"] = (tokens, index) => {
  const content = tokens[index]?.content ?? "";
  const seen = SEEN.exec(content);
  if (!seen) return escapeHtml(content);
  return `${seen[1]}: <time datetime="${seen[2]}" title="${seen[2]}">${utcTime(seen[2] ?? "")}</time>`;
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
