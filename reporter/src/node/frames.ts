import type { Frame } from "../core/event.ts";

const pattern = /^\s+at (?:(.*?) \()?(.+?):(\d+):(\d+)\)?$/;
/** Longer lines are not frames; the pattern would take too long on them. */
const MAX_LINE = 2000;

/** The frames of V8's stack trace; undefined if it has none. */
export function readFrames(trace: string): Frame[] | undefined {
  const frames = trace.split("\n", 100).flatMap((line): Frame[] => {
    const [, name, filename, row, column] = (line.length < MAX_LINE && pattern.exec(line)) || [];
    if (filename === undefined) return [];
    const in_app = !/^node:|[\\/]node_modules[\\/]/.test(filename);
    return [{ function: name, filename, line: Number(row), column: Number(column), in_app }];
  });
  return frames.length > 0 ? frames : undefined;
}
