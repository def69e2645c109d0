/**
 * A rule for keys. A phrase matches wherever its words occur in a key: "api key" matches `apiKey`, `x-api-key` and
 * `API_KEYS`. With `atEnd` it matches only the last words: `responseBody`, but not `body_size`.
 */
export type KeyRule = { name: string; phrases: readonly string[]; atEnd?: boolean };

/** Longer keys are not cached, which bounds the size of the cache. */
const MAX_CACHED_LENGTH = 100;
const MAX_CACHED = 5_000;

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

/** Caches the results, because the same keys occur in every event. */
export function cachedByKey(find: (key: string) => string | undefined): (key: string) => string | undefined {
  const cache = new Map<string, string | undefined>();
  return (key) => {
    if (key.length > MAX_CACHED_LENGTH) return find(key);
    if (cache.has(key)) return cache.get(key);
    if (cache.size >= MAX_CACHED) cache.clear();
    const rule = find(key);
    cache.set(key, rule);
    return rule;
  };
}

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** The words of a key in lower case, split at camelCase, digits and everything that is not a letter: `APIKey2` is api, key. */
function wordsOf(key: string): string[] {
  return (key.match(WORD) ?? []).map((word) => word.toLowerCase());
}
