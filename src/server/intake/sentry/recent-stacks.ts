import { randomUUID } from "node:crypto";
import { isRecord } from "../error-events/coerce.ts";
import { RecentTexts } from "../error-events/recent-texts.ts";
import { rememberAbout } from "./event/remembered.ts";

/** Bytes of JSON. Parsed, they take a few times as many. */
const MOST_BYTES = 2 * 1_048_576;

const MARK = Buffer.from('"stacktrace":{');
const END = Buffer.from("}]}");
/** Bytes before the first `END`, which belong to the newest frame. They tell nearly all stack traces apart. */
const TAIL = 160;

type Stack = { bytes: Buffer; value: object };

/** Of stack traces that were seen twice. Null if others that differ look the same, so that none of them is worth remembering. */
const recent = new RecentTexts<Stack | null>(MOST_BYTES);
const seenOnce = new RecentTexts<true>(MOST_BYTES / 8);

/** Takes the place of a stack trace, and cannot be sent by a client. */
const PLACEHOLDER = randomUUID();

/**
 * `JSON.parse` for an event. The same errors occur again and again, and most of their JSON are stack traces with lines of
 * source code, so it leaves out those that it has parsed before. These are frozen and shared by all events.
 *
 * It compares bytes, because a string of an event takes longer to make and to compare than the rest takes to parse.
 */
export function parseEvent(bytes: Buffer): unknown {
  try {
    const { rest, known } = withoutKnown(bytes);
    if (known.length > 0) {
      const event: unknown = JSON.parse(rest);
      if (putBack(event, known) === known.length) return event;
    }
  } catch {
    // `JSON.parse` says below what is wrong with the whole.
  }
  return JSON.parse(bytes.toString("utf8"));
}

/** The text with placeholders for the stack traces that are known; empty without any. Takes time in proportion to its length. */
function withoutKnown(bytes: Buffer): { rest: string; known: Stack[] } {
  const known: Stack[] = [];
  let rest = "";
  let kept = 0;
  let end = -1;
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at)) {
    at += MARK.length - 1;
    // Searched once for all that start before it.
    if (end < at) end = bytes.indexOf(END, at);
    if (end === -1) break;
    const stack = recentStack(bytes, at, end);
    if (!stack) continue;
    rest += `${bytes.toString("utf8", kept, at)}"${PLACEHOLDER}${known.length}"`;
    known.push(stack);
    at += stack.bytes.length;
    kept = at;
  }
  if (known.length > 0) rest += bytes.toString("utf8", kept);
  return { rest, known };
}

function recentStack(bytes: Buffer, start: number, end: number): Stack | undefined {
  const key = `${end - start} ${bytes.toString("latin1", Math.max(start, end - TAIL), end)}`;
  const stack = recent.get(key);
  if (stack && isAt(bytes, start, stack.bytes)) return stack;
  if (stack) recent.set(key, null);
  else if (stack === undefined && seenOnce.get(key)) return learn(key, bytes, start);
  else if (stack === undefined) seenOnce.set(key, true);
  return undefined;
}

function isAt(bytes: Buffer, start: number, part: Buffer): boolean {
  const end = start + part.length;
  return end <= bytes.length && bytes.compare(part, 0, part.length, start, end) === 0;
}

function learn(key: string, bytes: Buffer, start: number): Stack {
  const found = bytes.subarray(start, endOfObject(bytes, start));
  // A part of the event would keep all of it in memory.
  const own = Buffer.allocUnsafeSlow(found.length);
  found.copy(own);
  const stack = { bytes: own, value: frozen(JSON.parse(own.toString("utf8"))) as object };
  rememberAbout(stack.value);
  recent.set(key, stack, key.length + own.length);
  return stack;
}

/** Where the object that starts there ends, if the text is valid JSON. */
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

/** Puts the stack traces where their placeholders are, and returns how many were found. */
function putBack(event: unknown, known: readonly Stack[]): number {
  if (!isRecord(event)) return 0;
  let found = 0;
  for (const list of [event.exception, event.threads])
    if (isRecord(list) && Array.isArray(list.values))
      for (const one of list.values as unknown[]) {
        const sent = isRecord(one) ? one["stacktrace"] : undefined;
        if (typeof sent !== "string" || !sent.startsWith(PLACEHOLDER)) continue;
        const stack = known[Number(sent.slice(PLACEHOLDER.length))];
        if (!stack) continue;
        (one as Record<string, unknown>)["stacktrace"] = stack.value;
        found++;
      }
  return found;
}
