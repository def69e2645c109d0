import type { DebugImage } from "../../../shared/source-maps.ts";
import { sql } from "kysely";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { Db } from "../../db/connect.ts";
import type { EventAdditions } from "../../ingest/read/event-additions.ts";
import type { ReadEvent } from "../../ingest/read/read-event.ts";
import { fingerprintOfFrames, normalizedFrames } from "../../ingest/read/sentry/event/sentry-fingerprint.ts";
import { isMinifiedPlace } from "../mapping/file-names.ts";
import { framesOfEvent } from "../mapping/frames-of-event.ts";
import { debugIdsOf } from "../mapping/map-frames.ts";
import { matchFiles } from "../mapping/match-files.ts";
import { findIndexed } from "../mapping/position-index.ts";

/** The fingerprint of an event by its mapped frames, and the lines that it consists of. */
export type MappedIdentity = { fingerprint: Buffer; lines: { original: string; normalized: string }[] };

type Sent = KeptFrame;
type Found = { source: string; name: string | null };
type Minified = { call: number; file: string; line: number; column: number };

/**
 * Computes the fingerprint from the original code of the frames, as the index of the source maps has it. Undefined if no frame is in the
 * index. Frames that are not in it count as they were sent.
 */
export async function mappedIdentity(
  db: Db,
  projectId: number,
  { exception_class, release, stack_trace }: ReadEvent,
  additions: EventAdditions | null,
): Promise<MappedIdentity | undefined> {
  const { frames, ends } = framesOfEvent({ frames: additions?.frames ?? [], stack_trace });
  const minified = frames.flatMap((frame, call) => minifiedPlace(frame, call));
  if (minified.length === 0) return undefined;
  const found = await findPositions(
    db,
    { projectId, release, images: additions?.debug_images ?? [] },
    minified,
  );
  if (found.size === 0) return undefined;
  const named = frames.map((frame, call) => {
    const original = found.get(call);
    const caller = ends.has(call) ? undefined : found.get(call + 1);
    return original
      ? {
          // The name of a function is what its caller calls; names as sent change with each build.
          name: caller?.name ?? "?",
          file: original.source,
          line: null,
          column: null,
          isOwn: frame.in_app !== false && !/(?:^|\/)node_modules\//.test(original.source),
        }
      : {
          name: frame.function ?? "?",
          file: frame.filename ?? null,
          line: null,
          column: null,
          isOwn: frame.in_app !== false,
        };
  });
  const hasOwn = named.some(({ isOwn }) => isOwn);
  return {
    fingerprint: fingerprintOfFrames(exception_class, normalizedFrames(named)),
    lines: named.map((frame) => {
      const line = normalizedFrames([frame]);
      return { original: line, normalized: hasOwn && !frame.isOwn ? "" : line };
    }),
  };
}

function minifiedPlace({ abs_path, filename, line, column }: Sent, call: number): Minified[] {
  const file = [abs_path, filename].find((path) => isMinifiedPlace(path, { line, column }));
  return file && line && column ? [{ call, file, line, column }] : [];
}

/** The original code of the frames, by their number, in two statements. */
async function findPositions(
  db: Db,
  {
    projectId,
    release,
    images,
  }: { projectId: number; release: string | null; images: readonly DebugImage[] },
  minified: readonly Minified[],
): Promise<Map<number, Found>> {
  const debugId = debugIdsOf(images);
  const files = [...new Set(minified.map(({ file }) => file))];
  const matches = await matchFiles(
    db,
    { projectId, release },
    files.map((file) => ({ file, debugId: debugId(file) })),
  );
  const fileIds = new Map(matches.flatMap(({ file, map }) => (map ? [[file, map.file_id]] : [])));
  const wanted = minified.filter(({ file }) => fileIds.has(file));
  const { rows } = await sql<{ segments: string | null }>`
    select p.segments
    from unnest(${wanted.map(({ file }) => fileIds.get(file))}::bigint[], ${wanted.map(({ line }) => line)}::bigint[],
      ${wanted.map(({ column }) => column)}::bigint[]) with ordinality w (file_id, line, position, place)
    left join lateral (
      select segments from artifact_positions
      where file_id = w.file_id and line = w.line and first_column <= w.position
      order by first_column desc limit 1
    ) p on true
    order by w.place`.execute(db);
  return new Map(
    wanted.flatMap(({ call, column }, n) => {
      const segments = rows[n]?.segments;
      const found = segments ? findIndexed(segments, column) : undefined;
      return found ? [[call, found] as const] : [];
    }),
  );
}
