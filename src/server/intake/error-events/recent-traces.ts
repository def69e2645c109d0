import { isRecord } from "./coerce.ts";
import { parseWithKnown, RecentParts, type Found } from "./recent-parts.ts";

/** Bytes of JSON. */
const recent = new RecentParts<string>(4 * 1_048_576);

const MARK = Buffer.from('"stack_trace":');

/** Bytes. Shorter ones are parsed as fast as they are found. */
const SHORTEST = 512;

/** Looking for the end of a trace with more quotes takes as long as parsing it. */
const MOST_QUOTES = 256;

/**
 * `JSON.parse` for an event. The same errors occur again and again, and most of their JSON are stack traces, so it leaves out
 * those that it has parsed before.
 */
export function parseEvent(bytes: Buffer): unknown {
  return parseWithKnown(bytes, knownTraces, putBack);
}

function knownTraces(bytes: Buffer): Found<string>[] {
  const found: Found<string>[] = [];
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at)) {
    const start = afterSpace(bytes, at + MARK.length);
    const end = bytes[start] === QUOTE ? endOfString(bytes, start) : start;
    if (end === -1) break;
    at = end;
    if (end - start < SHORTEST) continue;
    const trace = recent.find(bytes, { start, seen: end }, () => ({ end, read: parse }));
    if (trace) found.push(trace);
  }
  return found;
}

const parse = (bytes: Buffer) => JSON.parse(bytes.toString("utf8")) as string;

function afterSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === SPACE) at++;
  return at;
}

/** The place after its last quote, or -1 if it is not found. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  for (let n = 0; n < MOST_QUOTES; n++) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at === -1) return -1;
    if (!isEscaped(bytes, at)) return at + 1;
  }
  return -1;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let start = at;
  while (bytes[start - 1] === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function putBack(event: unknown, valueOf: (placeholder: unknown) => string | undefined): number {
  if (!isRecord(event)) return 0;
  const previous = event["previous_exceptions"];
  let found = 0;
  for (const one of [event, ...(Array.isArray(previous) ? (previous as unknown[]) : [])]) {
    const trace = isRecord(one) ? valueOf(one["stack_trace"]) : undefined;
    if (trace === undefined) continue;
    (one as Record<string, unknown>)["stack_trace"] = trace;
    found++;
  }
  return found;
}
