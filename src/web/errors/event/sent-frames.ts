import type { KeptFrame } from "../../../shared/kept-events.ts";
import { framesByPlace } from "../../../shared/stack-trace/frames-by-place.ts";
import type { Frame, Trace } from "../../../shared/stack-trace/parse-trace.ts";

/**
 * Adds to the frames of a trace what the client sent about them: source lines, full paths, modules, and which frames
 * are the app's own, which it knows better than the path shows. A frame that was not sent, such as one of a cause, gets
 * what all sent frames of its file have in common.
 */
export function withSentFrames(trace: Trace, sent: readonly KeptFrame[]): Trace {
  if (sent.length === 0) return trace;
  const takeAt = framesByPlace(trace.order === "oldest-first" ? sent.toReversed() : sent);
  const files = factsByFile(sent);
  const entries = trace.entries.map((entry) => {
    if (entry.kind === "text") return entry;
    const known: KeptFrame | undefined = takeAt(entry) ?? files.get(entry.file);
    return known ? { ...entry, in_app: known.in_app ?? entry.in_app, ...shownOf(entry, known) } : entry;
  });
  const appFrames = entries.filter((entry) => entry.kind === "frame" && entry.in_app).length;
  return { ...trace, entries, appFrames };
}

/** The sent frames that are not in a trace returned by `withSentFrames`. */
export function framesOutside(trace: Trace, sent: readonly KeptFrame[]): KeptFrame[] {
  const inside = new Set(trace.entries.map((entry) => (entry.kind === "frame" ? entry.sent : undefined)));
  return sent.filter((frame) => !inside.has(frame));
}

/** A trace of a Sentry SDK names the module instead of the path of a Go file, and no class for methods on the JVM. */
function shownOf(frame: Frame, sent: KeptFrame): Partial<Frame> {
  const { module } = sent;
  const isOfClass = /\.(?:java|kts?|scala|groovy|clj)$/.test(frame.file ?? "") && module !== undefined;
  const isNamed = !isOfClass || frame.function === null || frame.function.startsWith(`${module}.`);
  return {
    // A frame with a file is named after it.
    file: sent.filename ?? (frame.file === module ? sent.abs_path : undefined) ?? frame.file,
    function: isNamed ? frame.function : `${module}.${frame.function}`,
    sent,
  };
}

/** The file that names a frame in a trace: the file as sent, else the module or the full path. */
const locationOf = ({ filename, module, abs_path }: KeptFrame): string | null =>
  filename ?? module ?? abs_path ?? null;

type OfFile = Pick<KeptFrame, "in_app" | "module" | "abs_path">;

/** What all frames of a file have in common. The name of a module is no file: its frames may be in several. */
function factsByFile(sent: readonly KeptFrame[]): Map<string | null, OfFile> {
  const files = new Map<string | null, OfFile>();
  for (const frame of sent) {
    const { in_app, module, abs_path, filename } = frame;
    const facts = filename === undefined ? { in_app } : { in_app, module, abs_path };
    const known = files.get(locationOf(frame));
    files.set(locationOf(frame), known ? inCommon(known, facts) : facts);
  }
  return files;
}

const inCommon = (one: OfFile, other: OfFile): OfFile => ({
  ...(one.in_app === other.in_app && { in_app: one.in_app }),
  ...(one.module === other.module && { module: one.module }),
  ...(one.abs_path === other.abs_path && { abs_path: one.abs_path }),
});
