import { sql } from "kysely";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { DebugImage, ReleaseMapping } from "../../../shared/source-maps.ts";
import { isLikelyMinified } from "../../../shared/stack-trace/likely-minified.ts";
import { notFound } from "../../answers/errors.ts";
import type { ErrorDb } from "../../errors/groups/error-db.ts";
import { findReleaseId } from "../../errors/releases/find-release-id.ts";
import { artifactName } from "./file-names.ts";
import { framesOfEvent } from "./frames-of-event.ts";
import { debugIdsOf, minifiedFile } from "./map-frames.ts";
import { matchFiles, type MinifiedFile } from "./match-files.ts";
import { describeMissing } from "./unmapped.ts";

const MAX_EVENTS = 50;
const MAX_FILES = 200;
/** Groups of the project, the last seen first, among which those of the release are searched. */
const MAX_GROUPS = 5_000;

type Row = { stack_trace: string; additions: string | null };
type Additions = { frames?: KeptFrame[]; debug_images?: DebugImage[] };
type CountedFile = MinifiedFile & { frames: number; isLikelyMinified: boolean };

/**
 * The minified files in the latest events of the errors that were last seen in the release, and whether each has a source map. If the
 * release has none, files that are not likely to be minified are left out.
 * 404 if the project has no such release.
 */
export async function readReleaseMapping(
  { db, retentionDays }: ErrorDb,
  projectId: number,
  name: string,
): Promise<ReleaseMapping> {
  const release = name.replaceAll("\0", "\uFFFD");
  const releaseId = await findReleaseId(db, { projectId, version: release });
  if (releaseId === undefined) throw notFound("There is no such release.");
  const { rows } = await sql<Row>`
    select coalesce(d.cut ->> 'stack_trace', d.stack_trace) as stack_trace, d.additions
    from (
      select id, last_release, last_seen_at from error_groups where project_id = ${projectId}
      order by last_seen_span desc limit ${sql.lit(MAX_GROUPS)}
    ) g
    join error_group_details d on d.group_id = g.id and d.event is not null
    where g.last_release = ${release} and d.release = ${release}
      and d.received_at > now() - make_interval(days => ${retentionDays}::int)
    order by g.last_seen_at desc, g.id desc limit ${sql.lit(MAX_EVENTS)}`.execute(db);
  const files = countFiles(rows);
  const origin = { projectId, release };
  const matches = await matchFiles(db, origin, files);
  return {
    events: rows.length,
    files: matches.flatMap((match, n) => {
      const { frames = 0, isLikelyMinified = false } = files[n] ?? {};
      if (match.map === null && match.reason === "no_map_for_release" && !isLikelyMinified) return [];
      return {
        name: match.name,
        frames,
        debug_id: match.debugId,
        artifact_id: match.map?.artifact_id ?? null,
        unmapped: match.map === null ? describeMissing(match, origin) : null,
      };
    }),
  };
}

/** The files, those with the most frames first. */
function countFiles(rows: readonly Row[]): CountedFile[] {
  const files = new Map<string, CountedFile>();
  for (const { stack_trace, additions } of rows) {
    const { frames = [], debug_images = [] } = (additions ? JSON.parse(additions) : {}) as Additions;
    const debugIdOf = debugIdsOf(debug_images);
    for (const frame of framesOfEvent({ frames, stack_trace }).frames) {
      const file = minifiedFile(frame);
      if (file === undefined) continue;
      const debugId = debugIdOf(file);
      const key = `${artifactName(file)} ${debugId}`;
      const counted = files.get(key) ?? { file, debugId, frames: 0, isLikelyMinified: false };
      counted.frames++;
      counted.isLikelyMinified ||= isLikelyMinified(frame);
      files.set(key, counted);
    }
  }
  return [...files.values()].toSorted((one, other) => other.frames - one.frames).slice(0, MAX_FILES);
}
