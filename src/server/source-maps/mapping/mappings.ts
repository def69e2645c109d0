import { decodedMappings, TraceMap, traceSegment, type SourceMapSegment } from "@jridgewell/trace-mapping";

/** The file is not a source map. */
export class InvalidMap extends Error {}

/** Parsing the map would take too much memory. */
export class LargeMap extends Error {}

/** All numbers count from 0. */
export type Segment = {
  column: number;
  /** Null if there is no original code. */
  original: { source: number; line: number; column: number; name: number | null } | null;
};

/** How many segments may still be decoded: at most 6 million for each file, of about 100 bytes each. */
export type Room = { segments: number };
export const newRoom = (): Room => ({ segments: 6_000_000 });
export const BYTES_PER_SEGMENT = 100;

/** What an object takes besides its segments. */
const SEGMENTS_PER_MAP = 10;

/** The `mappings` of a source map. Takes its segments from the room, and throws LargeMap if they are too many. */
export class Mappings {
  readonly #map: TraceMap;

  constructor(mappings: string, room: Room) {
    if (!/^[A-Za-z\d+/,;]*$/.test(mappings)) throw new InvalidMap();
    room.segments -= countSegments(mappings) + SEGMENTS_PER_MAP;
    if (room.segments < 0) throw new LargeMap();
    // Only what is needed to find segments: this does not depend on the types of the other fields.
    this.#map = new TraceMap({ version: 3, sources: [], names: [], mappings });
  }

  /** The last segment of the line that does not begin after the column; the first one if several begin there. */
  find(line: number, column: number): Segment | null {
    const segment = traceSegment(this.#map, line, column);
    return segment && toSegment(segment);
  }

  /** All segments in their order, with their lines. */
  *all(): Generator<Segment & { line: number }> {
    for (const [line, segments] of decodedMappings(this.#map).entries())
      for (const segment of segments) yield { line, ...toSegment(segment) };
  }
}

function toSegment([column, source, line, originalColumn, name]: Readonly<SourceMapSegment>): Segment {
  if (source === undefined || line === undefined || originalColumn === undefined)
    return { column, original: null };
  return { column, original: { source, line, column: originalColumn, name: name ?? null } };
}

function countSegments(mappings: string): number {
  let count = 1;
  for (let i = 0; i < mappings.length; i++) {
    const unit = mappings.charCodeAt(i);
    if (unit === COMMA || unit === SEMICOLON) count++;
  }
  return count;
}

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
