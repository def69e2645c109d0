import { isRecord } from "./coerce.ts";
import { computeFingerprint, LONG } from "./fingerprint.ts";
import { parseWithKnown, RecentParts, type Found } from "./recent-parts.ts";

/** Bytes of JSON. */
const recent = new RecentParts<KnownTrace>(4 * 1_048_576);

const MARK = Buffer.from('"stack_trace":');

/** Bytes. Shorter traces are parsed as fast as they are looked up. */
const SHORTEST = LONG;

/** Finding the end of a trace with more quotes takes as long as parsing it. */
const MAX_QUOTES = 256;

/** A trace that several events share. */
export class KnownTrace {
  readonly text: string;
  #exceptionClass: string | undefined;
  #fingerprint: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Computed again only if the class differs from that of the previous call. */
  fingerprint(exceptionClass: string): Buffer {
    if (this.#fingerprint === undefined || this.#exceptionClass !== exceptionClass) {
      this.#fingerprint = computeFingerprint(exceptionClass, this.text);
      this.#exceptionClass = exceptionClass;
    }
    return this.#fingerprint;
  }
}

/**
 * `JSON.parse` for an event, with a cache of stack traces: the same errors repeat, and most of their JSON is stack traces.
 * `trace` is the event's own trace, if it is cached.
 */
export function parseEvent(bytes: Buffer): { event: unknown; trace: KnownTrace | undefined } {
  let trace: KnownTrace | undefined;
  const event = parseWithKnown(bytes, knownTraces, (sent, valueOf: ValueOf) => {
    if (!isRecord(sent)) return 0;
    trace = putBack(sent, valueOf);
    const previous = sent["previous_exceptions"];
    let found = trace ? 1 : 0;
    if (Array.isArray(previous))
      for (const one of previous as unknown[]) if (isRecord(one) && putBack(one, valueOf)) found++;
    return found;
  });
  return { event, trace };
}

type ValueOf = (placeholder: unknown) => KnownTrace | undefined;

function putBack(exception: Readonly<Record<string, unknown>>, valueOf: ValueOf): KnownTrace | undefined {
  const trace = valueOf(exception["stack_trace"]);
  if (trace) (exception as Record<string, unknown>)["stack_trace"] = trace.text;
  return trace;
}

function knownTraces(bytes: Buffer): Found<KnownTrace>[] {
  const found: Found<KnownTrace>[] = [];
  for (let at = 0; bytes.length - at > SHORTEST;) {
    at = bytes.indexOf(MARK, at);
    if (at === -1) break;
    const start = afterSpace(bytes, at + MARK.length);
    const end = bytes[start] === QUOTE ? endOfString(bytes, start) : start;
    if (end === -1) break;
    at = end;
    if (end - start < SHORTEST) continue;
    const trace = recent.find(bytes, { start, seen: end }, () => ({ end, read }));
    if (trace) found.push(trace);
  }
  return found;
}

const read = (bytes: Buffer) => new KnownTrace(JSON.parse(bytes.toString("utf8")) as string);

function afterSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === SPACE) at++;
  return at;
}

/** The position after the closing quote, or -1 if it is not found. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  for (let n = 0; n < MAX_QUOTES; n++) {
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
