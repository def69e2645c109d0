import type { KeptFrame } from "../kept-events.ts";
import { frameIn, type FoundFrame, type Runtime } from "./frame-forms.ts";
import { isInApp } from "./vendor-frames.ts";

export type Frame = Omit<FoundFrame, "runtime"> & {
  in_app: boolean;
  /** The source line; only Python sends it. */
  code: string | null;
  /** What the client said about the frame, if the event was kept. */
  sent?: KeptFrame | undefined;
};

export type TraceEntry = ({ kind: "frame" } & Frame) | { kind: "text"; text: string };

export type Trace = {
  /** In the order of the trace. Adjacent lines that are not frames (messages, "Caused by: …") are one text entry. */
  entries: TraceEntry[];
  frames: number;
  appFrames: number;
  /** The error was thrown in the first frame, or in the last one, as in Python. */
  order: "newest-first" | "oldest-first";
};

/** A longer line is data, not a frame. */
export const MAX_FRAME_LENGTH = 2_000;

/** Parses a stack trace of any common runtime, in one pass over its lines. */
export function parseTrace(trace: string): Trace {
  const reader = openReader();
  for (const line of trace.split(/\r?\n/)) reader.read(line);
  const { entries, runtime } = reader;
  const frames = entries.filter((entry) => entry.kind === "frame");
  const oldestFirst =
    runtime() === "python" || /most recent call last/i.test(trace.slice(0, MAX_FRAME_LENGTH));
  return {
    entries,
    frames: frames.length,
    appFrames: frames.filter((frame) => frame.in_app).length,
    order: oldestFirst ? "oldest-first" : "newest-first",
  };
}

function openReader() {
  const entries: TraceEntry[] = [];
  let first: Runtime | undefined;
  let last: Runtime | undefined;
  /** Lines of the pending text entry. */
  let text: string[] = [];

  const closeText = () => {
    if (text.length > 0) entries.push({ kind: "text", text: text.join("\n") });
    text = [];
  };
  const add = (found: FoundFrame) => {
    closeText();
    const { runtime, ...frame } = found;
    first ??= runtime;
    last = runtime;
    entries.push({ kind: "frame", ...frame, in_app: isInApp(found), code: null });
  };
  const read = (line: string) => {
    if (line.trim() === "") return;
    const previous = text.length === 0 ? entries.at(-1) : undefined;
    if (previous?.kind === "frame" && last !== undefined && continues(last, previous, line)) return;
    const found = line.length > MAX_FRAME_LENGTH ? undefined : (frameIn(line) ?? plainRust(last, line));
    if (found === undefined) text.push(line);
    else {
      // Go writes the function on the line before the file.
      if (found.runtime === "go") found.function = goFunction(text);
      add(found);
    }
  };
  return {
    get entries() {
      closeText();
      return entries;
    },
    runtime: () => first,
    read,
  };
}

/** Adds a line to the frame before it: the source in Python, the file in Rust. False if the line does not belong to it. */
function continues(runtime: Runtime, frame: Frame, line: string): boolean {
  if (runtime === "python") {
    const code = /^(?:\s+| *\| +)(\S.*)$/.exec(line)?.[1];
    if (code === undefined || /^(?:\+|File ")/.test(code)) return false;
    if (/^[\s~^|]+$/.test(code)) return true;
    if (frame.code !== null) return false;
    frame.code = code;
    return true;
  }
  if (runtime !== "rust" || frame.file !== null || line.length > MAX_FRAME_LENGTH) return false;
  const [, file, at, column] = /^\s+at (.+?):(\d+)(?::(\d+))?$/.exec(line) ?? [];
  if (file === undefined) return false;
  frame.file = file;
  frame.line = Number(at);
  frame.column = column === undefined ? null : Number(column);
  frame.in_app = isInApp({ ...frame, runtime });
  return true;
}

/** `16: main` among Rust frames. */
function plainRust(last: Runtime | undefined, line: string): FoundFrame | undefined {
  const name = last === "rust" ? /^\s*\d+: +(?:0x[\da-f]+ - )?(\S+)$/.exec(line)?.[1] : undefined;
  return name === undefined
    ? undefined
    : { runtime: "rust", function: name, file: null, line: null, column: null };
}

/** Takes `main.(*Order).Total(0xc000)` or `created by main.run in goroutine 1` from the pending text. */
function goFunction(text: string[]): string | null {
  const line = text.at(-1);
  if (
    line === undefined ||
    line.length > MAX_FRAME_LENGTH ||
    !/^(?:created by )?\S+(?:$|\(| in goroutine)/.test(line)
  )
    return null;
  text.pop();
  return line
    .replace(/^created by /, "")
    .replace(/ in goroutine \d+$/, "")
    .replace(/\([^()]*\)$/, "");
}
