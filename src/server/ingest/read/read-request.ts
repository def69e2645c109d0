import { isRecord, record, textOfWords } from "./coerce.ts";
import type { EventAdditions } from "./event-additions.ts";

const MAX_LENGTH = 2_000;

/** The only headers that are kept. */
const HEADERS = ["Content-Type", "User-Agent", "Accept-Language", "Referer"];

/** Method, path and four headers of a request. Queries, cookies and bodies are never kept. `clean` removes personal data. */
export function readRequest(sent: unknown, clean: (text: string) => string): EventAdditions["request"] {
  if (!isRecord(sent)) return null;
  const method = textOfWords(sent.method, 255);
  const url = textOfWords(sent.path, MAX_LENGTH) ?? textOfWords(sent.url, MAX_LENGTH);
  const path = url === null ? null : withoutQuery(url.replace(ORIGIN, ""));
  const request = {
    method: method === null ? null : clean(method),
    path: path === null ? null : clean(path) || null,
    headers: readHeaders(sent.headers, clean),
  };
  return request.method === null && request.path === null && Object.keys(request.headers).length === 0
    ? null
    : request;
}

const ORIGIN = /^(?:[a-z][a-z\d+.-]{0,40}:)?\/\/[^/?#]*/i;

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Headers are sent as an object or as a list of pairs, and a value may be a list. */
function readHeaders(sent: unknown, clean: (text: string) => string): Record<string, string> {
  const pairs: unknown[] = Array.isArray(sent) ? sent : Object.entries(record(sent));
  const headers: Record<string, string> = {};
  for (const pair of pairs) {
    if (!Array.isArray(pair) || typeof pair[0] !== "string") continue;
    const name = pair[0].toLowerCase();
    const kept = HEADERS.find((header) => header.toLowerCase() === name);
    const value = textOfWords(Array.isArray(pair[1]) ? pair[1][0] : pair[1], MAX_LENGTH);
    if (kept !== undefined && value !== null)
      headers[kept] = clean(kept === "Referer" ? withoutQuery(value) : value);
  }
  return headers;
}
