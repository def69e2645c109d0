/** The first match counts: user agents also name the browsers they are based on. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** A readable name for a user agent: "Firefox on Windows". Unknown ones are returned as they are. */
export function deviceOf(userAgent: string | null): { name: string; isPhone: boolean } {
  if (!userAgent) return { name: "Unknown browser", isPhone: false };
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  const isPhone = /iPhone|Android.*Mobile/.test(userAgent);
  if (browser === undefined) return { name: system ?? userAgent, isPhone };
  return { name: system === undefined ? browser : `${browser} on ${system}`, isPhone };
}
