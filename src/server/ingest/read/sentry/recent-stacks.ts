import { isRecord } from "../coerce.ts";
import { parseWithKnown, RecentParts, type Found } from "../recent-parts.ts";
import { share } from "./event/stack-trace.ts";

const recent = new RecentParts<object>(2 * 1_048_576);

const MARK = Buffer.from('"stacktrace":{');
/** Ends the newest frame, whose last bytes distinguish nearly all stack traces. */
const END = Buffer.from("}]}");

/**
 * `JSON.parse` for an event, with a cache of stack traces: the same errors repeat, and most of their JSON is stack traces
 * with lines of source code. Cached traces are frozen and shared by all events.
 */
export function parseEvent(bytes: Buffer): unknown {
  return parseWithKnown(bytes, knownStacks, putBack);
}

/** Takes linear time. */
function knownStacks(bytes: Buffer): Found<object>[] {
  const found: Found<object>[] = [];
  let seen = -1;
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at)) {
    at += MARK.length - 1;
    const start = at;
    // One search serves all stack traces that begin before this end.
    if (seen < start) seen = bytes.indexOf(END, start);
    if (seen === -1) break;
    const stack = recent.find(bytes, { start, seen }, () => ({ end: endOfObject(bytes, start), read }));
    if (!stack) continue;
    found.push(stack);
    at = stack.end;
  }
  return found;
}

function read(bytes: Buffer): object {
  const stack = frozen(JSON.parse(bytes.toString("utf8"))) as object;
  share(stack);
  return stack;
}

/** The end of the object that begins at `start`, provided that the text is valid JSON. */
function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return bytes.length;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return bytes.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

function putBack(event: unknown, valueOf: (placeholder: unknown) => object | undefined): number {
  if (!isRecord(event)) return 0;
  let found = 0;
  for (const list of [event.exception, event.threads])
    if (isRecord(list) && Array.isArray(list.values))
      for (const one of list.values as unknown[]) {
        const stack = isRecord(one) ? valueOf(one["stacktrace"]) : undefined;
        if (!stack) continue;
        (one as Record<string, unknown>)["stacktrace"] = stack;
        found++;
      }
  return found;
}
