// `{name}` with any constraint that has no braces of its own; applied from the inside out.
const INNERMOST_BRACES = /\{[^{}]*\}/g;
// `:name(constraint)`, where the constraint may hold one more level of parentheses: `:id((?:a|b)+)`.
const CONSTRAINED_NAME = /(:[A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)/g;
// The question mark of `:name?`, when what follows can stand after a placeholder. In `:id?page=2` a query starts.
const OPTIONAL_NAME = /(:[A-Za-z_]\w*)\?(?=[/.\-:(){}*]|\??$)/g;

// The first segment of a relative path holds no colon (RFC 3986, 4.2): a name before one is a scheme.
const LEADING_SCHEME = /^[a-z][a-z\d+.-]*:/i;
const PORT_AFTER_FIRST_SEGMENT = /^\/?[^/]*:\d{1,5}(?:\/|\?|$)/;
// A dotted name followed by a slash.
const DOTTED_HOST = /^:?[^/.:()]+(?:\.[^/.:()]+)*\.[^/.:()]+\.?\//;
// An address of version 6, and one of version 4 alone.
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:.]*:[\da-f:.]*\])(?:\/|$)/i;

/**
 * Whether a route's declared pattern may be stored (service specification, 4.6): false when it carries a scheme, a
 * host (with or without port), a query string or a fragment, that is when it is a request's address, which may
 * hold personal data, and not a pattern.
 *
 * Placeholders are no part of that: whatever stands inside closed braces is allowed, and so is the constraint of
 * `:name(…)`. A question mark is kept in `{name?}`, in `:name?`, and at the very end.
 */
export function isAllowedPattern(pattern: string): boolean {
  const outsideBraces = withoutBraces(pattern.trim());
  if (outsideBraces.includes("#")) return false;
  const path = outsideBraces.replace(CONSTRAINED_NAME, "$1").replace(OPTIONAL_NAME, "$1");
  return !hasQuery(path) && !hasScheme(path) && !hasHost(path);
}

/** Puts a wildcard's `*` in the place of each placeholder; a brace that is never closed hides nothing. */
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
    ADDRESS.test(path)
  );
}
