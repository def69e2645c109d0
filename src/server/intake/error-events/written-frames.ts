import type { Frame } from "./event-additions.ts";

/** The JSON of frames that many events share. */
const written = new WeakMap<Frame, string>();

/** Writes the frames once for all events that share them. They must never change. */
export function shareFrames(frames: readonly Frame[]): void {
  for (const frame of frames) written.set(frame, JSON.stringify(frame));
}

/** The same as `JSON.stringify`. */
export const writeFrames = (frames: readonly Frame[]): string =>
  `[${frames.map((frame) => written.get(frame) ?? JSON.stringify(frame)).join(",")}]`;
