import { randomUUID } from "node:crypto";
import { isRecord } from "../error-events/coerce.ts";
import { RecentTexts } from "../error-events/recent-texts.ts";
import { rememberAbout } from "./event/remembered.ts";

/** Characters of JSON. Parsed, they take a few times as many bytes. */
const MOST_CHARACTERS = 2 * 1_048_576;

const MARK = '"stacktrace":{';
const END = "}]}";
/** Characters before the first `END`, which belong to the newest frame. They tell nearly all stack traces apart. */
const TAIL = 160;

type Stack = { text: string; value: object };

/** Of stack traces that were seen twice. Null if others that differ look the same, so that none of them is worth remembering. */
const recent = new RecentTexts<Stack | null>(MOST_CHARACTERS);
const seenOnce = new RecentTexts<true>(MOST_CHARACTERS / 8);

/** Takes the place of a stack trace, and cannot be sent by a client. */
const PLACEHOLDER = randomUUID();

/**
 * `JSON.parse` for an event. The same errors occur again and again, and most of their JSON are stack traces with lines of
 * source code, so it leaves out those that it has parsed before. These are frozen and shared by all events.
 */
export function parseEvent(text: string): unknown {
  try {
    const { rest, known } = withoutKnown(text);
    if (known.length > 0) {
      const event: unknown = JSON.parse(rest);
      if (putBack(event, known) === known.length) return event;
    }
  } catch {
    // `JSON.parse` says below what is wrong with the whole.
  }
  return JSON.parse(text);
}

/** The text with placeholders for the stack traces that are known. Takes time in proportion to its length. */
function withoutKnown(text: string): { rest: string; known: Stack[] } {
  const known: Stack[] = [];
  let rest = "";
  let kept = 0;
  let end = -1;
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at)) {
    at += MARK.length - 1;
    // Searched once for all that start before it.
    if (end < at) end = text.indexOf(END, at);
    if (end === -1) break;
    const stack = recentStack(text, at, end);
    if (!stack) continue;
    rest += `${text.slice(kept, at)}"${PLACEHOLDER}${known.length}"`;
    known.push(stack);
    at += stack.text.length;
    kept = at;
  }
  return { rest: rest + text.slice(kept), known };
}

function recentStack(text: string, start: number, end: number): Stack | undefined {
  const key = `${end - start} ${text.slice(Math.max(start, end - TAIL), end)}`;
  const stack = recent.get(key);
  if (stack && text.startsWith(stack.text, start)) return stack;
  if (stack) recent.set(key, null);
  else if (stack === undefined && seenOnce.get(key)) return learn(key, text, start);
  else if (stack === undefined) seenOnce.set(key, true);
  return undefined;
}

function learn(key: string, text: string, start: number): Stack {
  // A slice would keep the whole text in memory.
  const own = Buffer.from(text.slice(start, endOfObject(text, start)), "utf8").toString("utf8");
  const stack = { text: own, value: frozen(JSON.parse(own)) as object };
  rememberAbout(stack.value);
  recent.set(key, stack, key.length + own.length);
  return stack;
}

/** Where the object that starts there ends, if the text is valid JSON. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
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
