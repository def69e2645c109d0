import type { Token } from "markdown-it";
import { withoutPunctuation } from "./bare-urls.ts";

/** What a piece of text refers to. It may not exist: the code that uses the tokens has to check that. */
export type Reference =
  | { kind: "person"; name: string }
  | { kind: "issue"; projectKey: string; number: number }
  | { kind: "report"; id: number }
  | { kind: "url"; href: string };

/**
 * A core rule: splits the text outside code and URLs at `@name`, `WEB-12`, `#32` and `www.example.com`. These become
 * tokens of type `reference` with the reference in `meta`, and with the text as their content. `meta.inLink` says whether
 * a reference or an image is inside a link.
 */
export function splitReferences(tokens: Token[]): void {
  for (const block of tokens) if (block.children) block.children = splitInline(block.children);
}

function splitInline(tokens: Token[]): Token[] {
  let links = 0;
  return tokens.flatMap((token, index) => {
    links += token.type === "link_open" ? 1 : token.type === "link_close" ? -1 : 0;
    const before = tokens[index - 1];
    const isAddress = before?.type === "link_open" && before.markup === "autolink";
    if (token.type === "image") token.meta = { inLink: links > 0 };
    return token.type === "text" && !isAddress ? splitText(token, links > 0) : [token];
  });
}

/** Inside a link, only mentions of people are references. */
function splitText(token: Token, inLink: boolean): Token[] {
  const references = referencesIn(token.content).filter(({ to }) => !inLink || to.kind === "person");
  if (references.length === 0) return [token];
  const pieces: Token[] = [];
  const add = (type: string, content: string, to?: Reference) => {
    const piece = new (token.constructor as typeof Token)(type, "", 0);
    piece.content = content;
    piece.level = token.level;
    if (to) piece.meta = { to, inLink };
    pieces.push(piece);
  };
  let done = 0;
  for (const { start, end, to } of references) {
    if (start > done) add("text", token.content.slice(done, start));
    add("reference", token.content.slice(start, end), to);
    done = end;
  }
  if (done < token.content.length) add("text", token.content.slice(done));
  return pieces;
}

type Found = { start: number; end: number; to: Reference };

const BARE_URL = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<]*/giu;
/** Matches both names in `@ann/@bob`, and none in `a@b.com`, `@ann@example.com` or `example.com/@ann`. */
const MENTIONS = /(?<![\p{L}\p{N}\p{M}_@/])@[\p{L}\p{N}\p{M}._-]+(?:\/@[\p{L}\p{N}\p{M}._-]+)*@?/gu;
const NAME = /@([\p{L}\p{N}\p{M}._-]+)/gu;
const ISSUE = /(?<![\p{L}\p{N}_./@#-])([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,8})(?![\p{L}\p{N}_-])/gu;
const REPORT = /(?<![\p{L}\p{N}_./@#&-])#([1-9]\d{0,8})(?![\p{L}\p{N}_-])/gu;

/** In order of appearance. Takes linear time: no expression backtracks over more than one character. */
function referencesIn(text: string): Found[] {
  if (!/[@#]|www\.|[A-Z0-9]-[1-9]/i.test(text)) return [];
  const urls: Found[] = [];
  // Replace URLs by blanks of the same length, so that nothing inside them is a reference.
  const prose = text.replace(BARE_URL, (url: string, start: number) => {
    const shown = withoutPunctuation(url);
    if (/^www\.[\p{L}\p{N}]/iu.test(shown))
      urls.push({ start, end: start + shown.length, to: { kind: "url", href: `http://${shown}` } });
    return " ".repeat(url.length);
  });
  const issues = matches(prose, ISSUE, ([, projectKey = "", number]) => ({
    kind: "issue",
    projectKey,
    number: Number(number),
  }));
  const reports = matches(prose, REPORT, ([, id]) => ({ kind: "report", id: Number(id) }));
  return [...urls, ...peopleIn(prose), ...issues, ...reports]
    .toSorted((a, b) => a.start - b.start)
    .filter((one, index, all) => one.start >= (all[index - 1]?.end ?? 0));
}

const matches = (prose: string, pattern: RegExp, to: (match: RegExpExecArray) => Reference): Found[] =>
  Array.from(prose.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    to: to(match),
  }));

function peopleIn(prose: string): Found[] {
  return Array.from(prose.matchAll(MENTIONS)).flatMap(({ 0: run, index }) => {
    if (run.endsWith("@")) return [];
    return Array.from(run.matchAll(NAME)).flatMap((found) => {
      const name = nameOf(found[1] ?? "");
      if (name === "") return [];
      const start = index + found.index;
      return [{ start, end: start + 1 + name.length, to: { kind: "person", name } as const }];
    });
  });
}

/** Removes trailing punctuation. A loop, because a regular expression would backtrack at every full stop. */
function nameOf(mention: string): string {
  let end = mention.length;
  while (end > 0 && ".-_".includes(mention.charAt(end - 1))) end--;
  return mention.slice(0, end);
}
