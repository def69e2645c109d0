import { memo, Suspense, use, useMemo, useState } from "react";
import { CopyButton } from "../../kit/copy-button.tsx";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { allRows, foldFrames } from "./fold-frames.ts";
import { mappedTrace } from "../../../shared/stack-trace/mapped-trace.ts";
import { parseTrace, type Trace } from "../../../shared/stack-trace/parse-trace.ts";
import { ModeButtons } from "./mode-buttons.tsx";
import { originalFrame, withOriginals } from "./original-frames.ts";
import { RawTrace } from "./raw-trace.tsx";
import { framesOutside, withSentFrames } from "./sent-frames.ts";
import { useShownCode } from "./shown-code.ts";
import { SourceContext } from "./source-link.tsx";
import { TraceRows } from "./trace-rows.tsx";

const SourceFrames = deferredPart(async () => (await import("./source-frames.tsx")).SourceFrames);

const MODES = { app: "App", all: "All", raw: "Raw" } as const;
type Mode = keyof typeof MODES;

type Props = {
  trace: string;
  label: string;
  /** Whether the sent frames are those of this trace, so that their source lines are shown. */
  hasSource?: boolean;
};

/** A stack trace, and the frames with source lines that it does not have. */
export const TraceView = memo(function TraceView({ trace, label, hasSource = false }: Props) {
  const { frames } = use(SourceContext);
  const isOriginal = useShownCode()[0] === "original";
  const sent = useMemo(() => withSentFrames(parseTrace(trace), frames), [trace, frames]);
  const parsed = useMemo(() => (isOriginal ? withOriginals(sent) : sent), [isOriginal, sent]);
  const text = useMemo(() => (isOriginal ? mappedTrace(trace, frames) : trace), [isOriginal, trace, frames]);
  const outside = useMemo(() => {
    const others = hasSource ? framesOutside(sent, frames) : [];
    const shown = isOriginal ? others.map(originalFrame) : others;
    return shown.filter(({ context_line }) => context_line !== undefined);
  }, [hasSource, sent, frames, isOriginal]);
  const isBlank = trace.trim() === "";
  return (
    <>
      {!isBlank && <TraceFrames trace={text} label={label} parsed={parsed} hasSource={hasSource} />}
      {isBlank && outside.length === 0 && <p className="text-text-3">No stack trace.</p>}
      {outside.length > 0 && (
        <Suspense fallback={null}>
          <SourceFrames frames={outside} />
        </Suspense>
      )}
    </>
  );
});

/**
 * App frames with library frames folded, all frames, or the raw text. A trace without recognizable frames is shown raw.
 */
function TraceFrames({ trace, label, parsed, hasSource }: Required<Props> & { parsed: Trace }) {
  const [chosen, setChosen] = useState<Mode | null>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const modes = (Object.keys(MODES) as Mode[]).filter(
    (mode) => mode === "raw" || (parsed.frames > 0 && (mode === "all" || parsed.appFrames > 0)),
  );
  const mode = chosen !== null && modes.includes(chosen) ? chosen : (modes[0] ?? "raw");
  const rows = useMemo(
    () => (mode === "app" ? foldFrames(parsed.entries, unfolded) : allRows(parsed.entries)),
    [mode, parsed, unfolded],
  );

  const opened = useMemo(() => (hasSource ? newestWithSource(parsed) : null), [hasSource, parsed]);
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken py-1 ps-3 pe-1 text-sm text-text-2">
        <span className="min-w-0 flex-1">
          {mode === "raw"
            ? "Raw"
            : `${parsed.frames === 1 ? "1 frame" : `${parsed.frames} frames`}, ${parsed.order === "oldest-first" ? "most recent call last" : "most recent call first"}`}
        </span>
        {modes.length > 1 && (
          <ModeButtons
            label={`Frames of ${label}`}
            modes={modes.map((value) => ({ value, label: MODES[value] }))}
            value={mode}
            onChange={setChosen}
          />
        )}
        <CopyButton label={`Copy ${label.replace(/^S/, "s")}`} text={trace} />
      </div>
      {mode === "raw" ? (
        <RawTrace text={trace} label={label} />
      ) : (
        <TraceRows
          key={mode}
          rows={rows}
          label={label}
          hasSource={hasSource}
          opened={opened}
          onUnfold={(key) => setUnfolded(new Set([...unfolded, key]))}
        />
      )}
    </div>
  );
}

/** The key of the newest frame with source lines, if possible of the app's own; null if there is none. */
function newestWithSource({ entries, order }: Trace): number | null {
  const keys = entries.flatMap((entry, key) =>
    entry.kind === "frame" && entry.sent?.context_line !== undefined ? [{ key, in_app: entry.in_app }] : [],
  );
  const newest = order === "oldest-first" ? keys.toReversed() : keys;
  return (newest.find(({ in_app }) => in_app) ?? newest[0])?.key ?? null;
}
