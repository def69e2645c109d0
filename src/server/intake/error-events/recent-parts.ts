import { randomUUID } from "node:crypto";
import { RecentTexts } from "./recent-texts.ts";

/** Bytes at either end of a part, which together with its length tell nearly all parts apart. */
const ENDS = 96;

type Part<Value> = { bytes: Buffer; value: Value };

/** A part of a body, from `start` to `end`, and its value. */
export type Found<Value> = { start: number; end: number; value: Value };

/** Takes the place of a part, and cannot be sent by a client. */
const PLACEHOLDER = randomUUID();

/**
 * The values of parts of JSON that occur again and again, so that they need not be parsed again. It compares bytes, because a
 * string takes longer to make and to compare than the rest takes to parse.
 */
export class RecentParts<Value> {
  /** Parts that were seen twice. Null if different parts look the same, so that none of them is worth remembering. */
  readonly #recent: RecentTexts<Part<Value> | null>;
  readonly #seenOnce: RecentTexts<true>;

  /** Bytes of JSON. Parsed, they may take a few times as many. */
  constructor(mostBytes: number) {
    this.#recent = new RecentTexts(mostBytes);
    this.#seenOnce = new RecentTexts(mostBytes / 8);
  }

  /**
   * The part that starts there, if it is known. `seen` is its end, or any place before it that depends on nothing else. `learn`
   * reads the part when it is seen for the second time.
   */
  find(
    bytes: Buffer,
    { start, seen }: { start: number; seen: number },
    learn: () => { end: number; read: (own: Buffer) => Value },
  ): Found<Value> | undefined {
    const key = keyOf(bytes, start, seen);
    const part = this.#recent.get(key);
    if (part && isAt(bytes, start, part.bytes))
      return { start, end: start + part.bytes.length, value: part.value };
    if (part) this.#recent.set(key, null);
    else if (part === undefined && this.#seenOnce.get(key)) {
      const { end, read } = learn();
      // A part of the body would keep all of it in memory.
      const own = Buffer.allocUnsafeSlow(end - start);
      bytes.copy(own, 0, start, end);
      const value = read(own);
      this.#recent.set(key, { bytes: own, value }, key.length + own.length);
      return { start, end, value };
    } else if (part === undefined) this.#seenOnce.set(key, true);
    return undefined;
  }
}

function keyOf(bytes: Buffer, start: number, seen: number): string {
  const head = bytes.toString("latin1", start, Math.min(seen, start + ENDS));
  return `${seen - start} ${head}${bytes.toString("latin1", Math.max(start, seen - ENDS), seen)}`;
}

function isAt(bytes: Buffer, start: number, part: Buffer): boolean {
  const end = start + part.length;
  return end <= bytes.length && bytes.compare(part, 0, part.length, start, end) === 0;
}

/** Puts the values in the places of their placeholders, and returns how many of them it found. */
type PutBack<Value> = (json: unknown, valueOf: (placeholder: unknown) => Value | undefined) => number;

/**
 * `JSON.parse` without the parts that are known, whose values are put back. If they turn up where `putBack` does not look,
 * everything is parsed, so the result is always that of `JSON.parse`.
 */
export function parseWithKnown<Value>(
  bytes: Buffer,
  findKnown: (bytes: Buffer) => Found<Value>[],
  putBack: PutBack<Value>,
): unknown {
  try {
    const parts = findKnown(bytes);
    if (parts.length > 0) {
      const json: unknown = JSON.parse(withPlaceholders(bytes, parts));
      if (putBack(json, (sent) => valueOf(sent, parts)) === parts.length) return json;
    }
  } catch {
    // `JSON.parse` says below what is wrong with the whole.
  }
  return JSON.parse(bytes.toString("utf8"));
}

function withPlaceholders(bytes: Buffer, parts: readonly Found<unknown>[]): string {
  let text = "";
  let kept = 0;
  let n = 0;
  for (const { start, end } of parts) {
    text += `${bytes.toString("utf8", kept, start)}"${PLACEHOLDER}${n++}"`;
    kept = end;
  }
  return text + bytes.toString("utf8", kept);
}

function valueOf<Value>(sent: unknown, parts: readonly Found<Value>[]): Value | undefined {
  if (typeof sent !== "string" || !sent.startsWith(PLACEHOLDER)) return undefined;
  return parts[Number(sent.slice(PLACEHOLDER.length))]?.value;
}
