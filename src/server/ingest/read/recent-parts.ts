import { randomUUID } from "node:crypto";
import { RecentTexts } from "../../caches/recent-texts.ts";

/** Bytes at either end of a part that are part of its key. With its length, they distinguish nearly all parts. */
const ENDS = 96;

type Part<Value> = { bytes: Buffer; value: Value };

/** A part of a body, from `start` to `end`, and its value. */
export type Found<Value> = { start: number; end: number; value: Value };

/** Replaces a known part in the JSON. Random, so that clients cannot send it. */
const PLACEHOLDER = randomUUID();

/**
 * Caches the values of repeated parts of JSON, so that they are parsed only once. Compares bytes: creating and comparing
 * strings would take longer than parsing everything else.
 */
export class RecentParts<Value> {
  /** Parts that were seen twice. Null for a key that different parts share: none of them is cached. */
  readonly #recent: RecentTexts<Part<Value> | null>;
  readonly #seenOnce: RecentTexts<true>;

  /** Bytes of JSON. Parsed, they may take a few times as many. */
  constructor(mostBytes: number) {
    this.#recent = new RecentTexts(mostBytes);
    this.#seenOnce = new RecentTexts(mostBytes / 8);
  }

  /**
   * The part that begins at `start`, if it is cached. `seen` is its end, or an earlier position that depends only on the
   * part's own bytes. `learn` reads the part when it is seen for the second time.
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
      // Copy the part, because a slice would keep the whole body in memory.
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

/** Replaces the placeholders with their values and returns how many it found. */
type PutBack<Value> = (json: unknown, valueOf: (placeholder: unknown) => Value | undefined) => number;

/**
 * Returns the same value as `JSON.parse`, but parses placeholders instead of known parts and then puts their values back.
 * If a known part is somewhere that `putBack` does not look, everything is parsed instead.
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
    // If the body itself is invalid, `JSON.parse` throws the proper error below.
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
