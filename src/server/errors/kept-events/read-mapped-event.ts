import type { KeptEvent, KeptFrame } from "../../../shared/kept-events.ts";
import { HttpError } from "../../answers/errors.ts";
import { framesOfEvent } from "../../source-maps/mapping/frames-of-event.ts";
import { mapFrames } from "../../source-maps/mapping/map-frames.ts";
import type { SourceMapReader } from "../../source-maps/mapping/map-reader.ts";
import type { ErrorDb } from "../groups/error-db.ts";
import { readStoredEvent } from "./read-event.ts";

type Which = { projectId: number; groupId: number; which: string };

/** The event with the original code of its minified frames. */
export async function readMappedEvent(
  errorDb: ErrorDb,
  reader: SourceMapReader,
  { projectId, groupId, which }: Which,
): Promise<KeptEvent> {
  const { event, debugImages } = await readStoredEvent(errorDb, groupId, which);
  const origin = { projectId, release: event.release, debugImages };
  return {
    ...event,
    frames: await mapFrames({ db: errorDb.db, reader }, { ...origin, ...framesOfEvent(event) }),
  };
}

/** The frames of the group's newest event, with their original code. None if the group has no kept event. */
export async function readLatestFrames(
  errorDb: ErrorDb,
  reader: SourceMapReader,
  group: Omit<Which, "which">,
): Promise<readonly KeptFrame[]> {
  try {
    return (await readMappedEvent(errorDb, reader, { ...group, which: "latest" })).frames;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return [];
    throw error;
  }
}
