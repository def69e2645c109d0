import type { Frame } from "./event-additions.ts";

/** The JSON of frames that several events share. */
const written = new WeakMap<Frame, string>();

/** Caches the JSON of frames that several events share. The frames must never change afterwards. */
export function shareFrames(frames: readonly Frame[]): void {
  for (const frame of frames) written.set(frame, JSON.stringify(frame));
}

/** Returns the same text as `JSON.stringify`. */
export const writeFrames = (frames: readonly Frame[]): string =>
  `[${frames.map((frame) => written.get(frame) ?? JSON.stringify(frame)).join(",")}]`;
