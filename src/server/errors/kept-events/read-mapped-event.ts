import type { KeptEvent } from "../../../shared/kept-events.ts";
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
