import type { KeptFrame } from "../../shared/kept-events.ts";
import type { Frame, Trace } from "./parse-trace.ts";

/**
 * Adds to the frames of a trace what the client said about them: its choice of the app's own frames is better than one by
 * the path, and it knows full paths and modules. Without a frame at the same place, another one of the same file tells
 * whether the frame belongs to the app.
 */
export function withSentFrames(trace: Trace, sent: readonly KeptFrame[]): Trace {
  if (sent.length === 0) return trace;
  const places = new Map(sent.map((frame) => [placeOf(frameOf(frame)), frame]));
  const files = inAppByFile(sent);
  const entries = trace.entries.map((entry) => {
    if (entry.kind === "text") return entry;
    const same = places.get(placeOf(entry));
    const in_app = same?.in_app ?? files.get(entry.file) ?? entry.in_app;
    return { ...entry, in_app, ...(same && shownOf(entry, same)) };
  });
  const appFrames = entries.filter((entry) => entry.kind === "frame" && entry.in_app).length;
  return { ...trace, entries, appFrames };
}

/** A trace of a Sentry SDK names the module instead of the path of a Go file, and no class for methods on the JVM. */
function shownOf(frame: Frame, sent: KeptFrame): Partial<Frame> {
  const { module } = sent;
  const isOfClass = /\.(?:java|kts?|scala|groovy|clj)$/.test(frame.file ?? "") && module !== undefined;
  const isNamed = !isOfClass || frame.function === null || frame.function.startsWith(`${module}.`);
  return {
    file: sent.filename ?? sent.abs_path ?? frame.file,
    function: isNamed ? frame.function : `${module}.${frame.function}`,
    sent,
  };
}

/** The file that names a frame in a trace: the file as sent, else the module or the full path. */
export const locationOf = ({ filename, module, abs_path }: KeptFrame): string | null =>
  filename ?? module ?? abs_path ?? null;

type Place = Pick<Frame, "function" | "file" | "line">;

const frameOf = (sent: KeptFrame): Place => ({
  function: sent.function ?? null,
  file: locationOf(sent),
  line: sent.line ?? null,
});

const placeOf = ({ function: name, file, line }: Place) =>
  [name === "?" ? "" : name, file, line].map((part) => part ?? "").join("\n");

/** Files of which some frames belong to the app and others do not are left out. */
function inAppByFile(sent: readonly KeptFrame[]): Map<string | null, boolean | undefined> {
  const files = new Map<string | null, boolean | undefined>();
  for (const frame of sent) {
    const file = locationOf(frame);
    if (file === null || frame.in_app === undefined) continue;
    files.set(file, !files.has(file) || files.get(file) === frame.in_app ? frame.in_app : undefined);
  }
  return files;
}
