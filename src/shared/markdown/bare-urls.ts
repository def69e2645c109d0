import type { StateInline } from "markdown-it";

/** An inline rule: a URL in the text becomes a link, including `_` and `*` in it. */
export function bareUrl(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state;
  if (silent || src.charCodeAt(pos) !== COLON || state.linkLevel > 0) return false;
  // Check the source first: `pending` is concatenated from characters, and reading it at each colon would copy it.
  const scheme = SCHEME_BEFORE.exec(src.slice(Math.max(0, pos - 7), pos))?.[1];
  if (scheme === undefined || !state.pending.endsWith(scheme)) return false;
  AFTER_SCHEME.lastIndex = pos;
  const found = AFTER_SCHEME.exec(src)?.[0].slice(0, state.posMax - pos);
  if (found === undefined || found.length <= "://".length) return false;
  const rest = withoutPunctuation(found);

  state.pending = state.pending.slice(0, -scheme.length);
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", state.md.normalizeLink(scheme + rest)]];
  open.markup = "autolink";
  state.push("text", "", 0).content = scheme + rest;
  state.push("link_close", "a", -1).markup = "autolink";
  state.pos += rest.length;
  return true;
}

const COLON = 0x3a;
const SCHEME_BEFORE = /(?<![\p{L}\p{N}])(https?)$/iu;
/** Starts with a letter, so that something remains without punctuation, and a run of text is read only once. */
const AFTER_SCHEME = /:\/\/(?=[\p{L}\p{N}[])[^\s<`]+/uy;

/** Removes the punctuation of the sentence around a URL: `(see https://example.com/a_(b)).` ends with `(b)`. */
export function withoutPunctuation(url: string): string {
  let end = url.length;
  let surplus = countOf(url, ")") - countOf(url, "(");
  for (;;) {
    const last = url.charAt(end - 1);
    if (last === ")" && surplus > 0) surplus--;
    else if (!"?!.,:;*_~'\"".includes(last) || last === "") return url.slice(0, end);
    end--;
  }
}

const countOf = (text: string, character: string) => text.split(character).length - 1;
