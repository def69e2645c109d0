import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { Original, Unmapped } from "../../../shared/source-maps.ts";
import type { Config } from "../../config/config.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect, type Db } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import { findProject } from "../../people/projects/find-project.ts";
import { isMinifiedPlace } from "../../source-maps/mapping/file-names.ts";
import { mapFrames } from "../../source-maps/mapping/map-frames.ts";
import { SourceMapReader } from "../../source-maps/mapping/map-reader.ts";
import { matchFiles, type EventOrigin, type FileMatch } from "../../source-maps/mapping/match-files.ts";

export type PlaceToExplain = {
  project: string;
  release?: string | undefined;
  debugId?: string | undefined;
  /** `FILE:LINE:COLUMN` */
  place: string;
};

export type MapExplanation = { lines: string[]; isMapped: boolean };

/** `explain-map`: prints how a place in a minified file is mapped, or why not. Can run while the server is running. */
export async function runExplainMap(config: Config, place: PlaceToExplain): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  const storage = await openStorage(config);
  const reader = new SourceMapReader(storage, log);
  try {
    await migrate(source.directUrl);
    const database = connect(source.directUrl, (error) => log.warn({ err: error }));
    try {
      const { lines, isMapped } = await explainMap({ db: database.db, reader }, place);
      process.stdout.write(`${lines.join("\n")}\n`);
      if (!isMapped) process.exitCode = 1;
    } finally {
      await database.close();
    }
  } finally {
    await reader.close();
    storage.close();
    await source.stop();
  }
}

/** Throws StartError if there is no such project, or if this is not a place in minified JavaScript. */
export async function explainMap(
  maps: { db: Db; reader: SourceMapReader },
  { project, release, debugId, place }: PlaceToExplain,
): Promise<MapExplanation> {
  const frame = readPlace(place);
  if (debugId !== undefined && !UUID.test(debugId)) throw new StartError(`${debugId} is not a debug id.`);
  const origin = { projectId: await requireProject(maps.db, project), release: release ?? null };
  const [match] = await matchFiles(maps.db, origin, [{ file: frame.filename, debugId: debugId ?? null }]);
  const debugImages = debugId === undefined ? [] : [{ code_file: frame.filename, debug_id: debugId }];
  const [mapped] = await mapFrames(maps, { ...origin, debugImages, frames: [frame] });
  const { original, unmapped } = mapped ?? {};
  return {
    lines: [
      ...(match ? describeSteps(match, origin) : []),
      ...(original ? describeOriginal(original) : []),
      ...(unmapped ? describeUnmapped(unmapped, original ? "Without its text" : "Not mapped") : []),
    ],
    isMapped: original !== undefined,
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function readPlace(place: string): KeptFrame & { filename: string } {
  const [, filename = "", line, column] = /^(.+):(\d{1,10}):(\d{1,10})$/.exec(place) ?? [];
  const frame = { filename, line: Number(line), column: Number(column) };
  if (isMinifiedPlace(filename, frame)) return frame;
  throw new StartError(
    `${place} is not a place in minified JavaScript. Give it as in a stack trace, such as https://shop.example/app.js:1:2345.`,
  );
}

async function requireProject(db: Db, ref: string): Promise<number> {
  const project = await findProject(db, ref);
  if (!project) throw new StartError(`There is no project ${ref}.`);
  return project.id;
}

function describeSteps(match: FileMatch, { release }: EventOrigin): string[] {
  const { name, mapName, debugId, map } = match;
  const byDebugId = map?.found_by === "debug_id";
  return [
    `File: ${name}`,
    debugId === null
      ? "Debug id: none given"
      : `Debug id: ${debugId}, ${byDebugId ? "found" : "no source map with this id"}`,
    ...(byDebugId
      ? []
      : [release === null ? "Release: none given" : `Release: ${release}, looked for ${mapName}`]),
    `Source map: ${map ? map.name : "not found"}`,
    "",
  ];
}

function describeOriginal(original: Original): string[] {
  const { filename, line, column, context_line, pre_context, post_context } = original;
  const place = `${filename}:${line}:${column}`;
  if (context_line === null) return [place];
  const lines = [...pre_context, context_line, ...post_context];
  const first = line - pre_context.length;
  const width = String(first + lines.length - 1).length;
  const code = lines.map((text, n) => {
    const mark = first + n === line ? ">" : " ";
    return `${mark} ${String(first + n).padStart(width)} | ${text}`.trimEnd();
  });
  return [place, ...code];
}

const describeUnmapped = ({ reason, message, nearest }: Unmapped, result: string): string[] => [
  `${result}: ${reason}`,
  message,
  ...(nearest === undefined ? [] : [`Nearest name: ${nearest}`]),
];
