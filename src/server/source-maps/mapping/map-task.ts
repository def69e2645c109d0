import type { MessagePort } from "node:worker_threads";
import { cutCodePoints } from "../../../shared/cut-code-points.ts";
import { InvalidMap, LargeMap } from "./mappings.ts";
import { parseMap, type ParsedMap, type Position } from "./parsed-map.ts";
import { positionRows, type PositionRow } from "./position-index.ts";
import { calledFunction, linesAround, type SourceLines } from "./source-text.ts";

/** What the worker thread does: finds positions in a file, or lists them all. The task contains the file unless the thread still has it. */
export type MapTask = {
  fileId: number;
  file?: Uint8Array;
} & (
  | { type: "source_map"; positions: SentPosition[] }
  /** The positions are those of the original code. */
  | { type: "source"; positions: Position[] }
  | { type: "index" }
);

/** A task as it is sent to the thread. */
export type MapMessage = WithPort<MapTask>;
type WithPort<Task> = Task extends MapTask ? Omit<Task, "file"> & { file?: MessagePort } : never;

/** A position in the minified file, and the name of the function there as it was sent. */
export type SentPosition = Position & { function: string | null };

export type FoundPosition = Position & {
  source: string;
  /** The name of what is at exactly this position. */
  name: string | null;
  /** Whether the map contains the text of the source. */
  hasText: boolean;
  /** Whether the text contains the name that was sent; null without text. */
  containsSentName: boolean | null;
} & FoundText;

export type FoundText = {
  /** The function that the code there calls. */
  called: string | null;
  lines: SourceLines | null;
};

export type MapAnswer =
  /** The thread does not have the file. */
  | { problem: "no_file" }
  | { problem: "invalid" | "too_slow" }
  | { positions: (FoundPosition | null)[] }
  | { texts: FoundText[] }
  | { rows: PositionRow[] };

/** Bytes that the cached files may take by estimate. The thread has 1 GiB. */
const MAX_CACHED_BYTES = 400 * 1_048_576;
const MAX_NAME_LENGTH = 1_000;

type Cached = { bytes: number } & ({ map: ParsedMap } | { text: string });

/** The most recently used are last. */
const cache = new Map<number, Cached>();

export function runMapTask(task: MapTask): MapAnswer {
  try {
    const cached = cache.get(task.fileId) ?? (task.file && readFile(task.type, asBuffer(task.file)));
    if (!cached) return { problem: "no_file" };
    keep(task.fileId, cached);
    if (task.type === "source")
      return { texts: task.positions.map((position) => findText(textOf(cached), position)) };
    if (task.type === "index") return { rows: "map" in cached ? positionRows(cached.map.segments()) : [] };
    return { positions: task.positions.map((position) => findPosition(cached, position)) };
  } catch (error) {
    cache.delete(task.fileId);
    if (error instanceof LargeMap) return { problem: "too_slow" };
    // Also thrown by what reads mappings and nested values that no bundler writes.
    if (error instanceof InvalidMap || error instanceof RangeError || error instanceof TypeError)
      return { problem: "invalid" };
    throw error;
  }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

function readFile(type: MapTask["type"], file: Buffer): Cached {
  if (type === "source") return { text: file.toString(), bytes: file.length };
  // The text of the file, of two bytes per character, and what is parsed from it.
  makeRoom(4 * file.length);
  const map = parseMap(file);
  return { map, bytes: map.bytes };
}

function keep(fileId: number, cached: Cached): void {
  cache.delete(fileId);
  makeRoom(cached.bytes);
  cache.set(fileId, cached);
}

function makeRoom(bytes: number): void {
  let total = bytes;
  for (const cached of cache.values()) total += cached.bytes;
  for (const [id, cached] of cache) {
    if (total <= MAX_CACHED_BYTES) return;
    cache.delete(id);
    total -= cached.bytes;
  }
}

const textOf = (cached: Cached): string => ("text" in cached ? cached.text : "");

function findPosition(cached: Cached, position: SentPosition): FoundPosition | null {
  const found = "map" in cached ? cached.map.find(position) : null;
  if (!found) return null;
  const { text, name, source, ...place } = found;
  return {
    ...place,
    source: cutCodePoints(source, MAX_NAME_LENGTH),
    name: name === null ? null : cutCodePoints(name, MAX_NAME_LENGTH),
    hasText: text !== null,
    containsSentName:
      text === null || position.function === null ? null : text.includes(lastPart(position.function)),
    ...(text === null ? { called: null, lines: null } : findText(text, place)),
  };
}

const lastPart = (name: string): string => name.split(/[. ]/).at(-1) ?? "";

function findText(text: string, place: Position): FoundText {
  const lines = linesAround(text, place.line);
  return { lines, called: lines && calledFunction(text, place) };
}
