import type { KeptFrame } from "../kept-events.ts";
import type { Original } from "../source-maps.ts";
import { frameIn } from "./frame-forms.ts";
import { framesByPlace } from "./frames-by-place.ts";
import { MAX_FRAME_LENGTH } from "./parse-trace.ts";

/**
 * The text of a stack trace with the original places of its minified frames. All other lines, such as the error's
 * message, stay as they were sent.
 */
export function mappedTrace(trace: string, frames: readonly KeptFrame[]): string {
  if (!frames.some(({ original }) => original !== undefined)) return trace;
  const takeAt = framesByPlace(frames);
  return trace
    .split("\n")
    .map((line) => {
      const frame = line.length > MAX_FRAME_LENGTH ? undefined : frameIn(line.trimEnd());
      const original = frame && takeAt(frame)?.original;
      return original ? lineOf(original) : line;
    })
    .join("\n");
}

function lineOf({ function: name, filename, line, column }: Original): string {
  const place = `${filename}:${line}:${column}`;
  return name === null ? `    at ${place}` : `    at ${name} (${place})`;
}
