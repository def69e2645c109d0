import { cachedByText } from "../../caches/cached-by-text.ts";

/**
 * A rule for keys. A phrase matches wherever its words occur in a key: "api key" matches `apiKey`, `x-api-key` and
 * `API_KEYS`. With `atEnd` it matches only the last words: `responseBody`, but not `body_size`.
 */
export type KeyRule = { name: string; phrases: readonly string[]; atEnd?: boolean };

/** The same keys occur in every event. Longer ones are rare. */
const MAX_CACHED_LENGTH = 100;
const MAX_CACHED_CHARACTERS = 200_000;

/** Returns a function that finds the rule for a key. */
export function matchKeys(rules: readonly KeyRule[]): (key: string) => string | undefined {
  const matchers = rules.map(({ name, phrases, atEnd }) => ({
    name,
    pattern: new RegExp(` (?:${phrases.join("|")})s? ${atEnd ? "$" : ""}`),
  }));
  return cachedByKey((key) => {
    const words = ` ${wordsOf(key).join(" ")} `;
    return matchers.find(({ pattern }) => pattern.test(words))?.name;
  });
}

export function cachedByKey(find: (key: string) => string | undefined): (key: string) => string | undefined {
  const cached = cachedByText(MAX_CACHED_CHARACTERS, find);
  return (key) => (key.length > MAX_CACHED_LENGTH ? find(key) : cached(key));
}

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** The words of a key in lower case, split at camelCase, digits and everything that is not a letter: `APIKey2` is api, key. */
function wordsOf(key: string): string[] {
  return (key.match(WORD) ?? []).map((word) => word.toLowerCase());
}
