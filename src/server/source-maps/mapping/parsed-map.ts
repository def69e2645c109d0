import { TraceMap, traceSegment, type SourceMapSegment } from "@jridgewell/trace-mapping";
import { sourcePath } from "./file-names.ts";

/** The file is not a source map. */
export class InvalidMap extends Error {}

/** Parsing the map would take too much memory. */
export class LargeMap extends Error {}

/** A decoded segment takes about 100 bytes, and the thread has 1 GiB. */
const MAX_SEGMENTS = 6_000_000;
const BYTES_PER_SEGMENT = 100;
/** What a section takes besides its segments. */
const SEGMENTS_PER_SECTION = 10;
/** Sections in sections. */
const MAX_DEPTH = 8;

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
};

type Json = Record<string, unknown>;
type Flat = { map: TraceMap; sources: string[]; texts: unknown[]; names: unknown[] };
/** Part of an indexed map: begins at this line and column, which count from 0. */
type Section = { line: number; column: number; flat: Flat };

/** Parses a regular or an indexed map. Throws InvalidMap or LargeMap. */
export function parseMap(file: Buffer): ParsedMap {
  const json = parseJson(file);
  const sections: Section[] = [];
  const segments = { left: MAX_SEGMENTS };
  readSections(json, { line: 0, column: 0 }, sections, segments, 0);
  return {
    bytes: file.length + (MAX_SEGMENTS - segments.left) * BYTES_PER_SEGMENT,
    find: (position) => findIn(sections, position),
  };
}

function parseJson(file: Buffer): Json {
  // A line that prevents the file from being run as a script.
  const hasPrefix = file.subarray(0, 3).toString() === ")]}";
  const start = hasPrefix ? file.indexOf("\n") + 1 : 0;
  try {
    return objectOf(JSON.parse(file.toString("utf8", start)));
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
  segments: { left: number },
  depth: number,
): void {
  if (!Array.isArray(json["sections"])) {
    sections.push({ ...offset, flat: readFlat(json, segments) });
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
    if (isObject(section["map"])) readSections(section["map"], start, sections, segments, depth + 1);
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readFlat(json: Json, segments: { left: number }): Flat {
  const { mappings, sources, sourceRoot, sourcesContent, names } = json;
  if (typeof mappings !== "string" || !Array.isArray(sources)) throw new InvalidMap();
  segments.left -= countSegments(mappings) + SEGMENTS_PER_SECTION;
  if (segments.left < 0) throw new LargeMap();
  const root = typeof sourceRoot === "string" ? sourceRoot : "";
  return {
    // Only what is needed to find segments: this does not depend on the types of the other fields.
    map: new TraceMap({ version: 3, sources: [], names: [], mappings }),
    sources: sources.map((source: unknown) => (typeof source === "string" ? sourcePath(source, root) : "")),
    texts: Array.isArray(sourcesContent) ? sourcesContent : [],
    names: Array.isArray(names) ? names : [],
  };
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

function findIn(sections: readonly Section[], position: Position): MappedPosition | null {
  const line = position.line - 1;
  const column = position.column - 1;
  const section = sections.findLast((one) => one.line < line || (one.line === line && one.column <= column));
  if (!section) return null;
  const offset = line === section.line ? section.column : 0;
  const { flat } = section;
  const segment = traceSegment(flat.map, line - section.line, column - offset);
  return segment === null ? null : readSegment(flat, segment, column - offset);
}

function readSegment(flat: Flat, segment: Readonly<SourceMapSegment>, column: number): MappedPosition | null {
  const [start, source, line, originalColumn, nameIndex] = segment;
  if (source === undefined || line === undefined || originalColumn === undefined) return null;
  if (!isCount(line) || !isCount(originalColumn) || !flat.sources[source]) return null;
  const text = flat.texts[source];
  const name = nameIndex === undefined || start !== column ? undefined : flat.names[nameIndex];
  return {
    source: flat.sources[source],
    line: line + 1,
    column: originalColumn + 1,
    text: typeof text === "string" ? text : null,
    name: typeof name === "string" ? name : null,
  };
}
