import type { Unmapped, UnmappedReason } from "../../../shared/source-maps.ts";
import type { EventOrigin, FileMatch } from "./match-files.ts";
import type { Unread } from "./map-reader.ts";
import type { Position } from "./parsed-map.ts";

/** Why the map of this file was not found, and what to do. */
export function describeMissing(match: FileMatch & { map: null }, { release }: EventOrigin): Unmapped {
  const { name, debugId, nearest } = match;
  const messages: Record<typeof match.reason, string> = {
    no_release:
      "The event names neither a release nor a debug id. Set the release where the app starts error reporting, and upload that release's source maps.",
    no_map_for_release: `Release ${release} has no source maps. Upload the maps of this build.`,
    unknown_debug_id: `No source map with the debug id ${debugId} has been uploaded. Upload the maps of the build that was deployed.`,
    file_not_found: `Release ${release} has source maps, but none for ${name}. ${
      nearest === undefined
        ? "Upload the map of this file."
        : `The most similar one is ${nearest}. Upload the map of this build, under the file's path.`
    }`,
  };
  return { reason: match.reason, message: messages[match.reason], ...(nearest !== undefined && { nearest }) };
}

/** Why the map could not be read. */
export function describeUnreadable(problem: Unread["problem"], mapName: string): Unmapped {
  const [reason, message] = UNREADABLE[problem](mapName);
  return { reason, message };
}

const UNREADABLE: Record<Unread["problem"], (mapName: string) => [UnmappedReason, string]> = {
  invalid: (name) => ["invalid_map", `${name} is not a valid source map. Build it again and upload it.`],
  too_slow: (name) => [
    "too_slow",
    `Reading ${name} took too much time or memory. Split the bundle into smaller files and upload their maps.`,
  ],
  busy: () => ["too_slow", "Too many other source maps are being read. Open the error again in a moment."],
  missing: (name) => [
    "file_not_found",
    `The content of ${name} is missing in the file store. Upload the map again.`,
  ],
  unavailable: (name) => [
    "too_slow",
    `The file store did not return ${name}. Open the error again in a moment; if it stays, check the store.`,
  ],
};

export const describeOutside = (mapName: string, file: string, { line, column }: Position): Unmapped => ({
  reason: "position_not_in_map",
  message: `${mapName} has no original code for line ${line}, column ${column} of ${file}. It probably belongs to another build: upload the maps of the build that was deployed.`,
});

export const describeSourceMissing = (mapName: string, source: string): Unmapped => ({
  reason: "source_missing",
  message: `${mapName} does not contain the text of ${source}. Build the map with its sources' content, or upload the source with it.`,
});
