import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { DebugImage, Original, Unmapped } from "../../../shared/source-maps.ts";
import type { Db } from "../../db/connect.ts";
import { artifactName, isMinifiedPlace } from "./file-names.ts";
import { originalFunction } from "./function-names.ts";
import type { SourceMapReader } from "./map-reader.ts";
import type { FoundPosition } from "./map-task.ts";
import {
  findSources,
  matchFiles,
  type EventOrigin,
  type FileMatch,
  type MinifiedFile,
} from "./match-files.ts";
import type { Position } from "./parsed-map.ts";
import type { SourceLines } from "./source-text.ts";
import { describeMissing, describeOutside, describeSourceMissing, describeUnreadable } from "./unmapped.ts";

export type FramesOfEvent = EventOrigin & {
  /** Newest first. */
  frames: readonly KeptFrame[];
  debugImages: readonly DebugImage[];
  /** The frames whose caller is not the next frame. */
  ends?: ReadonlySet<number>;
};

type Maps = { db: Db; reader: SourceMapReader };

/** A frame of minified code. `call` is its index among the frames. */
type Minified = { call: number; file: string; position: Position; sent: KeptFrame };

type Mapped = { match: FileMatch } & ({ found: FoundPosition | null } | { unmapped: Unmapped });

/** Adds the original code to frames of minified JavaScript, or why there is none. Other frames stay as they are. */
export async function mapFrames(maps: Maps, event: FramesOfEvent): Promise<KeptFrame[]> {
  const minified = event.frames.flatMap((sent, call) => minifiedFrame(sent, call));
  if (minified.length === 0) return [...event.frames];
  const mapped = await findOriginals(maps, event, minified);
  const texts = await findTexts(maps, event, [...mapped.values()]);
  return event.frames.map((frame, call) => {
    const result = mapped.get(call);
    if (!result) return frame;
    if ("unmapped" in result) return { ...frame, unmapped: result.unmapped };
    const { match, found } = result;
    if (!found) return { ...frame, unmapped: outside(match, frame) };
    const caller = event.ends?.has(call) ? undefined : mapped.get(call + 1);
    const calledAt = caller && "found" in caller ? caller.found : null;
    return {
      ...frame,
      ...describeFound(match, found, originalFunction(frame.function, found, calledAt), texts),
    };
  });
}

/** The path or address of the frame's file, if it can be minified JavaScript. */
export const minifiedFile = ({ abs_path, filename, line, column }: KeptFrame): string | undefined =>
  [abs_path, filename].find((path) => isMinifiedPlace(path, { line, column }));

function minifiedFrame(sent: KeptFrame, call: number): Minified[] {
  const { line, column } = sent;
  const file = minifiedFile(sent);
  return file && line && column ? [{ call, file, position: { line, column }, sent }] : [];
}

async function findOriginals({ db, reader }: Maps, event: FramesOfEvent, minified: readonly Minified[]) {
  const byFile = Map.groupBy(minified, ({ file }) => file);
  const files = [...byFile.keys()];
  const debugIds = debugIdsOf(event.debugImages);
  const matches = await matchFiles(
    db,
    event,
    files.map((file): MinifiedFile => ({ file, debugId: debugIds(file) })),
  );
  const results = await Promise.all(
    matches.map(async (match) => {
      const frames = byFile.get(match.file) ?? [];
      return mapFile(reader, event, match, frames);
    }),
  );
  return new Map(results.flat());
}

/** The debug id of a file, by its address or, failing that, by its path. */
export function debugIdsOf(images: readonly DebugImage[]): (file: string) => string | null {
  const valid = images.filter(({ debug_id }) => UUID.test(debug_id));
  const byFile = new Map(valid.map(({ code_file, debug_id }) => [code_file, debug_id]));
  const byName = new Map(valid.map(({ code_file, debug_id }) => [artifactName(code_file), debug_id]));
  return (file) => byFile.get(file) ?? byName.get(artifactName(file)) ?? null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function mapFile(
  reader: SourceMapReader,
  event: FramesOfEvent,
  match: FileMatch,
  frames: readonly Minified[],
): Promise<(readonly [number, Mapped])[]> {
  const all = (mapped: Mapped) => frames.map(({ call }) => [call, mapped] as const);
  if (match.map === null) return all({ match, unmapped: describeMissing(match, event) });
  const positions = frames.map(({ position, sent }) => ({ ...position, function: sent.function ?? null }));
  const answer = await reader.read(event.projectId, match.map, { type: "source_map", positions });
  if ("problem" in answer)
    return all({ match, unmapped: describeUnreadable(answer.problem, match.map.name) });
  const found = "positions" in answer ? answer.positions : [];
  return frames.map(({ call }, n) => [call, { match, found: found[n] ?? null }] as const);
}

const outside = (match: FileMatch, { line = 1, column = 1 }: KeptFrame): Unmapped =>
  describeOutside(match.map?.name ?? match.mapName, match.name, { line, column });

/** The text around positions whose map does not contain it, from uploaded sources. */
async function findTexts({ db, reader }: Maps, event: FramesOfEvent, mapped: readonly Mapped[]) {
  const wanted = mapped.flatMap((result) =>
    "found" in result && result.found && !result.found.hasText
      ? [{ found: result.found, name: artifactName(result.found.source), debugId: result.match.debugId }]
      : [],
  );
  const texts = new Map<FoundPosition, SourceLines>();
  const sources = await findSources(db, event, wanted);
  await Promise.all(
    wanted.map(async ({ found }, n) => {
      const source = sources[n];
      if (!source) return;
      const answer = await reader.read(event.projectId, source, { type: "source", positions: [found] });
      const lines = "texts" in answer ? answer.texts[0]?.lines : undefined;
      if (lines) texts.set(found, lines);
    }),
  );
  return texts;
}

function describeFound(
  match: FileMatch,
  found: FoundPosition,
  name: string | null,
  texts: ReadonlyMap<FoundPosition, SourceLines>,
): { original: Original; unmapped?: Unmapped } {
  const { source, line, column } = found;
  const lines = found.lines ?? texts.get(found);
  const original = {
    filename: source,
    line,
    column,
    function: name,
    ...(lines ?? { context_line: null, pre_context: [], post_context: [] }),
  };
  if (lines) return { original };
  return { original, unmapped: describeSourceMissing(match.map?.name ?? match.mapName, source) };
}
