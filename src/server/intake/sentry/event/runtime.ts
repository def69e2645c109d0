import { at, name, record, text, type JsonRecord } from "../../error-events/coerce.ts";

type NameAndVersion = { name: string | null; version: string | null };

/** The language's runtime, or the browser. `userAgent` is the header of the request that brought the event. */
export function runtimeOf(event: JsonRecord, userAgent: string | undefined): NameAndVersion {
  const contexts = record(event.contexts);
  for (const context of [contexts.runtime, contexts.browser]) {
    const { name: sentName, version } = record(context);
    const runtime = name(sentName);
    if (runtime !== null) return { name: runtime, version: name(version) };
  }
  // Elsewhere, User-Agent names the client of the server that failed.
  if (event.platform !== "javascript") return { name: null, version: null };
  return browserOf(header(event, "user-agent") ?? userAgent ?? "");
}

function header(event: JsonRecord, wanted: string): string | undefined {
  const headers = record(at(event, "request", "headers"));
  const key = Object.keys(headers).find((sent) => sent.toLowerCase() === wanted);
  return key === undefined ? undefined : (text(headers[key], 1_000) ?? undefined);
}

// In this order, because most browsers also name those whose pages they want to see.
const BROWSERS: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d[\d.]{0,30})/],
  ["Opera", /\b(?:OPR|Opera)\/(\d[\d.]{0,30})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d[\d.]{0,30})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d[\d.]{0,30})/],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d[\d.]{0,30})/],
  ["Safari", /\bVersion\/(\d[\d.]{0,30})[^/]{0,40} (?:Mobile\/\w{1,20} )?Safari\//],
];

function browserOf(userAgent: string): NameAndVersion {
  const start = userAgent.slice(0, 1_000);
  for (const [browser, pattern] of BROWSERS) {
    const match = pattern.exec(start);
    if (match) return { name: browser, version: match[1] ?? null };
  }
  return { name: null, version: null };
}
