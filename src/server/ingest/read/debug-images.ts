import type { DebugImage } from "../../../shared/source-maps.ts";
import { removeFromText } from "../remove-personal-data/remove-personal-data.ts";
import type { Rules } from "../remove-personal-data/rules.ts";
import { at, isRecord, textOfWords } from "./coerce.ts";
import { MAX_LINE_LENGTH, readEventId, type Frame } from "./event-additions.ts";
import { withoutQuery } from "./without-query.ts";

/** Further ones are ignored, so that few files are searched for in the trace. */
const MAX_IMAGES = 200;

/**
 * The ids of the minified files that the frames or the text of the trace name. Personal data is removed as in frames, so that the
 * names stay equal; it is counted there.
 */
export function readDebugImages(
  debugMeta: unknown,
  { frames, trace, rules }: { frames: readonly Frame[]; trace: string; rules: Rules },
): DebugImage[] {
  const images = at(debugMeta, "images");
  if (!Array.isArray(images)) return [];
  const files = new Set(frames.flatMap(({ filename, abs_path }) => [filename, abs_path]));
  return images
    .filter((image) => isRecord(image) && image.type === "sourcemap")
    .slice(0, MAX_IMAGES)
    .flatMap((image: Record<string, unknown>) => {
      const { code_file: sent } = image;
      const debug_id = readDebugId(image["debug_id"]);
      const file = typeof sent === "string" ? textOfWords(withoutQuery(sent), MAX_LINE_LENGTH) : null;
      if (debug_id === null || file === null) return [];
      const code_file = removeFromText(file, rules, new Map());
      return files.has(code_file) || trace.includes(file) ? [{ code_file, debug_id }] : [];
    });
}

/** A UUID with dashes. */
function readDebugId(sent: unknown): string | null {
  const id = readEventId(sent);
  return id && id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
