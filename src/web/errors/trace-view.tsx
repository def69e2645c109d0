import { memo, use, useMemo, useState } from "react";
import { CopyButton } from "../kit/copy-button.tsx";
import { cx } from "../kit/cx.ts";
import { allRows, foldFrames } from "./fold-frames.ts";
import { parseTrace } from "./parse-trace.ts";
import { RawTrace } from "./raw-trace.tsx";
import { withSentFrames } from "./sent-frames.ts";
import { SourceContext } from "./source-link.tsx";
import { TraceRows } from "./trace-rows.tsx";

const MODES = { app: "App", all: "All", raw: "Raw" } as const;
type Mode = keyof typeof MODES;

/**
 * A stack trace: app frames with library frames folded, all frames, or the raw text. A trace without recognizable
 * frames is shown raw.
 */
export const TraceView = memo(function TraceView({ trace, label }: { trace: string; label: string }) {
  const { frames } = use(SourceContext);
  const parsed = useMemo(() => withSentFrames(parseTrace(trace), frames), [trace, frames]);
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

  if (trace.trim() === "") return <p className="text-text-3">No stack trace.</p>;
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken py-1 ps-3 pe-1 text-sm text-text-2">
        <span className="min-w-0 flex-1">
          {mode === "raw"
            ? "Raw"
            : `${parsed.frames === 1 ? "1 frame" : `${parsed.frames} frames`}, ${parsed.order === "oldest-first" ? "most recent call last" : "most recent call first"}`}
        </span>
        {modes.length > 1 && (
          <div
            role="group"
            aria-label={`Frames of ${label}`}
            data-no-print
            className="flex rounded-md border border-line-strong"
          >
            {modes.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === mode}
                className={cx(
                  "min-h-6 px-2 font-medium first:rounded-s-[5px] last:rounded-e-[5px]",
                  one === mode ? "bg-accent text-on-accent" : "bg-surface hover:bg-hover",
                )}
                onClick={() => setChosen(one)}
              >
                {MODES[one]}
              </button>
            ))}
          </div>
        )}
        <CopyButton label="Copy trace" text={trace} />
      </div>
      {mode === "raw" ? (
        <RawTrace text={trace} label={label} />
      ) : (
        <TraceRows
          key={mode}
          rows={rows}
          label={label}
          onUnfold={(key) => setUnfolded(new Set([...unfolded, key]))}
        />
      )}
    </div>
  );
});
