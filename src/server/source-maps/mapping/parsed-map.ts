import { sourcePath } from "./file-names.ts";
import { measureJson } from "./json-size.ts";
import type { IndexedSegment } from "./position-index.ts";
import {
  BYTES_PER_SEGMENT,
  InvalidMap,
  LargeMap,
  Mappings,
  newRoom,
  type Room,
  type Segment,
} from "./mappings.ts";

/** Sources, names and sections. V8 ends the whole process, not only the thread, if JSON takes far too much memory. */
const MAX_VALUES = 2_000_000;
/** Sections in sections. */
const MAX_DEPTH = 8;
const MAX_JSON_DEPTH = 64;

/** Line and column count from 1. */
export type Position = { line: number; column: number };

export type MappedPosition = Position & {
  source: string;
  /** The text of the source, if the map contains it. */
  text: string | null;
  /** The name of what is at exactly this position, if minifying changed it. */
  name: string | null;
};

export type ParsedMap = {
  /** An estimate of the memory that it takes. */
  bytes: number;
  /** Null if the map has no original code for the position. */
  find: (position: Position) => MappedPosition | null;
  /** All segments in their order. */
  segments: () => Iterable<IndexedSegment>;
};

type Json = Record<string, unknown>;
type Flat = { mappings: Mappings; sources: string[]; texts: unknown[]; names: unknown[] };
/** Part of an indexed map: begins at this line and column, which count from 0. */
type Section = { line: number; column: number; flat: Flat };

/** Parses a regular or an indexed map. Throws InvalidMap or LargeMap. */
export function parseMap(file: Buffer): ParsedMap {
  const json = parseJson(file);
  const sections: Section[] = [];
  const room = newRoom();
  const { segments } = room;
  readSections(json, { line: 0, column: 0 }, sections, { room, depth: 0 });
  return {
    // Texts with other characters than those of Latin-1 take two bytes for each of them.
    bytes: 2 * file.length + (segments - room.segments) * BYTES_PER_SEGMENT,
    find: (position) => findIn(sections, position),
    segments: () => segmentsIn(sections),
  };
}

function parseJson(file: Buffer): Json {
  // A line that prevents the file from being run as a script.
  const hasPrefix = file.subarray(0, 3).toString() === ")]}";
  const text = hasPrefix ? file.subarray(file.indexOf("\n") + 1) : file;
  const { values, depth } = measureJson(text);
  if (values > MAX_VALUES) throw new LargeMap();
  if (depth > MAX_JSON_DEPTH) throw new InvalidMap();
  try {
    return objectOf(JSON.parse(text.toString()));
  } catch {
    throw new InvalidMap();
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectOf(value: unknown): Json {
  if (!isObject(value)) throw new InvalidMap();
  return value;
}

function readSections(
  json: Json,
  offset: { line: number; column: number },
  sections: Section[],
  { room, depth }: { room: Room; depth: number },
): void {
  if (!Array.isArray(json["sections"])) {
    sections.push({ ...offset, flat: readFlat(json, room) });
    return;
  }
  if (depth === MAX_DEPTH) throw new InvalidMap();
  for (const section of json["sections"].map(objectOf)) {
    const { line, column } = objectOf(section["offset"]);
    if (!isCount(line) || !isCount(column)) throw new InvalidMap();
    const start = {
      line: offset.line + line,
      column: line === 0 ? offset.column + column : column,
    };
    // A section may name the address of its map instead, which is not fetched.
    if (isObject(section["map"])) readSections(section["map"], start, sections, { room, depth: depth + 1 });
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readFlat(json: Json, room: Room): Flat {
  const { mappings, sources, sourceRoot, sourcesContent, names } = json;
  if (typeof mappings !== "string" || !Array.isArray(sources)) throw new InvalidMap();
  const root = typeof sourceRoot === "string" ? sourceRoot : "";
  return {
    mappings: new Mappings(mappings, room),
    sources: sources.map((source: unknown) => (typeof source === "string" ? sourcePath(source, root) : "")),
    texts: Array.isArray(sourcesContent) ? sourcesContent : [],
    names: Array.isArray(names) ? names : [],
  };
}

function findIn(sections: readonly Section[], position: Position): MappedPosition | null {
  const line = position.line - 1;
  const column = position.column - 1;
  const section = sections.findLast((one) => one.line < line || (one.line === line && one.column <= column));
  if (!section) return null;
  const offset = line === section.line ? section.column : 0;
  const segment = section.flat.mappings.find(line - section.line, column - offset);
  return segment?.original
    ? readSegment(section.flat, segment.original, segment.column === column - offset)
    : null;
}

function* segmentsIn(sections: readonly Section[]): Generator<IndexedSegment> {
  for (const { line: firstLine, column: firstColumn, flat } of sections)
    for (const { line, column, original } of flat.mappings.all()) {
      const nameIndex = original?.name ?? null;
      const name = nameIndex === null ? undefined : flat.names[nameIndex];
      yield {
        line: firstLine + line + 1,
        column: (line === 0 ? firstColumn : 0) + column + 1,
        source: (original && flat.sources[original.source]) || null,
        name: typeof name === "string" ? name : null,
      };
    }
}

type OriginalSegment = NonNullable<Segment["original"]>;

function readSegment(flat: Flat, segment: OriginalSegment, isExact: boolean): MappedPosition | null {
  const { source, line, column, name: nameIndex } = segment;
  const path = flat.sources[source];
  if (!path || line < 0 || column < 0) return null;
  const text = flat.texts[source];
  const name = nameIndex === null || !isExact ? undefined : flat.names[nameIndex];
  return {
    source: path,
    line: line + 1,
    column: column + 1,
    text: typeof text === "string" ? text : null,
    name: typeof name === "string" ? name : null,
  };
}
