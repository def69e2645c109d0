/** The file is not a source map. */
export class InvalidMap extends Error {}

/** All numbers count from 0. */
export type Segment = {
  column: number;
  /** Null if there is no original code. */
  original: { source: number; line: number; column: number; name: number | null } | null;
};

const SEGMENTS_PER_CHECKPOINT = 512;

/**
 * Finds positions in the `mappings` of a source map without keeping them decoded, because that takes a hundred bytes per segment.
 * Instead, it keeps where every 512th segment begins, and what the numbers before it add up to.
 */
export class Mappings {
  readonly #text: string;
  readonly #checkpoints: State[] = [];

  /** Reads the whole text once. Throws InvalidMap. */
  constructor(text: string) {
    this.#text = text;
    const reader = new SegmentReader(text, START);
    for (let count = 1; reader.next(); count++)
      if (count % SEGMENTS_PER_CHECKPOINT === 0) this.#checkpoints.push({ ...reader.state });
  }

  /** The last segment of the line that does not begin after the column; the first one if several begin there. */
  find(line: number, column: number): Segment | null {
    const start = this.#checkpoints.findLast((one) => isBefore(one, line, column)) ?? START;
    const reader = new SegmentReader(this.#text, start);
    let found = start !== START && start.line === line ? reader.segment() : null;
    while (reader.next() && !isAfter(reader.state, line, column)) {
      if (reader.state.line !== line) continue;
      found = reader.segment();
      if (found.column === column) break;
    }
    return found;
  }

  /** All segments in their order, with their lines. */
  *all(): Generator<Segment & { line: number }> {
    const reader = new SegmentReader(this.#text, START);
    while (reader.next()) yield { line: reader.state.line, ...reader.segment() };
  }
}

/** A segment, as the sums of all numbers up to it, and where the next one begins. */
type State = {
  position: number;
  hasOriginal: boolean;
  hasName: boolean;
  line: number;
  column: number;
  source: number;
  originalLine: number;
  originalColumn: number;
  name: number;
};

const START: State = {
  position: 0,
  hasOriginal: false,
  hasName: false,
  line: 0,
  column: 0,
  source: 0,
  originalLine: 0,
  originalColumn: 0,
  name: 0,
};

const isBefore = (state: State, line: number, column: number) =>
  state.line < line || (state.line === line && state.column < column);

const isAfter = (state: State, line: number, column: number) =>
  state.line > line || (state.line === line && state.column > column);

class SegmentReader {
  readonly #text: string;
  readonly state: State;

  constructor(text: string, state: State) {
    this.#text = text;
    this.state = { ...state };
  }

  /** Reads the next segment; false at the end of the text. */
  next(): boolean {
    const { state } = this;
    let unit = this.#text.charCodeAt(state.position);
    while (unit === SEMICOLON || unit === COMMA) {
      if (unit === SEMICOLON) {
        state.line++;
        state.column = 0;
      }
      unit = this.#text.charCodeAt(++state.position);
    }
    if (Number.isNaN(unit)) return false;
    state.column += this.#number();
    state.hasOriginal = !this.#isAtEnd();
    if (state.hasOriginal) {
      state.source += this.#number();
      state.originalLine += this.#number();
      state.originalColumn += this.#number();
    }
    state.hasName = !this.#isAtEnd();
    if (state.hasName) state.name += this.#number();
    if (!this.#isAtEnd()) throw new InvalidMap();
    return true;
  }

  segment(): Segment {
    const { column, source, originalLine, originalColumn, name, hasOriginal, hasName } = this.state;
    if (!hasOriginal) return { column, original: null };
    const original = { source, line: originalLine, column: originalColumn };
    return { column, original: { ...original, name: hasName ? name : null } };
  }

  #isAtEnd(): boolean {
    const unit = this.#text.charCodeAt(this.state.position);
    return unit === COMMA || unit === SEMICOLON || Number.isNaN(unit);
  }

  /** A number in Base64, five bits per character, the lowest first. Its lowest bit is the sign. */
  #number(): number {
    let value = 0;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 5) {
      const digit = DIGITS[this.#text.charCodeAt(this.state.position++)] ?? -1;
      if (digit === -1) throw new InvalidMap();
      value |= (digit & 31) << shift;
      if (digit < 32) return value & 1 ? -(value >>> 1) : value >>> 1;
    }
    throw new InvalidMap();
  }
}

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
/** Of numbers with 32 bits. */
const MAX_SHIFT = 30;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS = Int8Array.from({ length: 128 }, (_, unit) => ALPHABET.indexOf(String.fromCharCode(unit)));
