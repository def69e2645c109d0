type NameAndVersion = { name: string | null; version: string | null };

// The order matters: most browsers also name the browsers that they are compatible with.
const BROWSERS: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d[\d.]{0,30})/],
  ["Opera", /\b(?:OPR|Opera)\/(\d[\d.]{0,30})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d[\d.]{0,30})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d[\d.]{0,30})/],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d[\d.]{0,30})/],
  ["Safari", /\bVersion\/(\d[\d.]{0,30})[^/]{0,40} (?:Mobile\/\w{1,20} )?Safari\//],
];

/** The name and version of the browser that sends this `User-Agent`. Null for any but the most common browsers. */
export function browserOf(userAgent: string): NameAndVersion {
  const start = userAgent.slice(0, 1_000);
  for (const [browser, pattern] of BROWSERS) {
    const match = pattern.exec(start);
    if (match) return { name: browser, version: match[1] ?? null };
  }
  return { name: null, version: null };
}
