import { cachedByText } from "../../caches/cached-by-text.ts";

// `{name}`, with any constraint that contains no braces. Applied repeatedly, from the inside out.
const INNERMOST_BRACES = /\{[^{}]*\}/g;
// `:name(constraint)`, where the constraint may contain one level of parentheses: `:id((?:a|b)+)`.
const CONSTRAINED_NAME = /(:[A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)/g;
// The question mark of `:name?`, if followed by something that can follow a placeholder. In `:id?page=2` it starts a query.
const OPTIONAL_NAME = /(:[A-Za-z_]\w*)\?(?=[/.\-:(){}*]|\??$)/g;

// The first segment of a relative path contains no colon (RFC 3986, 4.2), so a name before a colon is a scheme.
const LEADING_SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PORT_AFTER_FIRST_SEGMENT = /^\/?[^/]*:\d{1,5}(?:\/|\?|$)/;
// A dotted name followed by a slash.
const DOTTED_HOST = /^:?[^/.:()]+(?:\.[^/.:()]+)*\.[^/.:()]+\.?\//;
// An IPv4 or IPv6 address.
const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:.]*:[\da-f:.]*\])(?:\/|$)/i;

/**
 * Whether a route's declared pattern may be stored. A pattern with a scheme, a host (with or without port), a query string
 * or a fragment may not: it is the address of a request, which may contain personal data.
 *
 * Placeholders are exempt: anything is allowed inside closed braces and in the constraint of `:name(…)`. A question mark
 * is allowed in `{name?}`, in `:name?` and at the very end.
 */
export const isAllowedPattern = cachedByText(65_536, (pattern) => {
  const outsideBraces = withoutBraces(pattern.trim());
  if (outsideBraces.includes("#")) return false;
  const path = outsideBraces.replace(CONSTRAINED_NAME, "$1").replace(OPTIONAL_NAME, "$1");
  return !hasQuery(path) && !hasScheme(path) && !hasHost(path);
});

/** Replaces each placeholder in braces with `*`. An unclosed brace is not a placeholder. */
function withoutBraces(pattern: string): string {
  let before = pattern;
  for (;;) {
    const after = before.replace(INNERMOST_BRACES, "*");
    if (after === before) return after;
    before = after;
  }
}

function hasQuery(path: string): boolean {
  const mark = path.indexOf("?");
  return mark !== -1 && mark !== path.length - 1;
}

function hasScheme(path: string): boolean {
  return LEADING_SCHEME.test(path) || path.includes("://");
}

function hasHost(path: string): boolean {
  return (
    path.startsWith("//") ||
    PORT_AFTER_FIRST_SEGMENT.test(path) ||
    DOTTED_HOST.test(path) ||
    IP_ADDRESS.test(path)
  );
}
