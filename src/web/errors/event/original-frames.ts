import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { Trace } from "../../../shared/stack-trace/parse-trace.ts";
import { isInApp } from "../../../shared/stack-trace/vendor-frames.ts";

/** The trace of `withSentFrames` with the original code of its minified frames. */
export function withOriginals(trace: Trace): Trace {
  const entries = trace.entries.map((entry) => {
    if (entry.kind === "text" || entry.sent?.original === undefined) return entry;
    const { filename, line, column, function: name } = entry.sent.original;
    const sent = originalFrame({ ...entry.sent, in_app: entry.in_app });
    return { ...entry, file: filename, line, column, function: name, in_app: sent.in_app === true, sent };
  });
  const appFrames = entries.filter((entry) => entry.kind === "frame" && entry.in_app).length;
  return { ...trace, entries, appFrames };
}

/** The frame at its original place. Libraries in the app's bundle do not belong to the app. */
export function originalFrame(frame: KeptFrame): KeptFrame {
  const { original, unmapped, vars, in_app } = frame;
  if (original === undefined) return frame;
  const { filename, line, column, function: name, context_line, pre_context, post_context } = original;
  const isLibrary = !isInApp({ runtime: "javascript", function: name, file: filename, line, column });
  return {
    function: name ?? undefined,
    filename,
    line,
    column,
    in_app: isLibrary ? false : in_app,
    context_line: context_line ?? undefined,
    pre_context,
    post_context,
    vars,
    unmapped,
  };
}
