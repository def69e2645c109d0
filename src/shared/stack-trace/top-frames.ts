import { parseTrace, type Frame } from "./parse-trace.ts";

/** The frame that threw and the app's own frame closest to it, which may be the same. */
export function topFrames(stackTrace: string): Frame[] {
  const { entries, order } = parseTrace(stackTrace);
  const frames = entries.filter((entry) => entry.kind === "frame");
  const newestFirst = order === "newest-first" ? frames : frames.toReversed();
  return [...new Set([newestFirst[0], newestFirst.find(({ in_app }) => in_app)])].filter(
    (frame) => frame !== undefined,
  );
}
