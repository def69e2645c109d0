import type { KeptEvent, KeptFrame } from "../../../shared/kept-events.ts";
import { parseTrace } from "../../../shared/stack-trace/parse-trace.ts";
import { isMinifiedPlace } from "./file-names.ts";

/** More frames of a text are not mapped. */
const MAX_FRAMES = 100;

type Frames = {
  frames: readonly KeptFrame[];
  /** The frames whose caller is not the next frame, because they are the last ones of a cause. */
  ends: ReadonlySet<number>;
};

/** The frames that were sent, or else those of a stack trace of JavaScript. */
export function framesOfEvent({
  frames: sent,
  stack_trace,
}: Pick<KeptEvent, "frames" | "stack_trace">): Frames {
  if (sent.length > 0) return { frames: sent, ends: new Set() };
  const frames: KeptFrame[] = [];
  const ends = new Set<number>();
  for (const entry of parseTrace(stack_trace).entries) {
    if (frames.length === MAX_FRAMES) break;
    if (entry.kind === "text") ends.add(frames.length - 1);
    else frames.push(toSent(entry));
  }
  return frames.some((frame) => isMinifiedPlace(frame.filename, frame))
    ? { frames, ends }
    : { frames: sent, ends };
}

type Parsed = {
  function: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
  in_app: boolean;
};

const toSent = ({ function: name, file, line, column, in_app }: Parsed): KeptFrame => ({
  ...(name !== null && { function: name }),
  ...(file !== null && { filename: file }),
  ...(line !== null && { line }),
  ...(column !== null && { column }),
  in_app,
});
