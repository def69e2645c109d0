import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, useId, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { cx } from "../../kit/cx.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import type { TraceRow } from "./fold-frames.ts";
import type { Frame } from "../../../shared/stack-trace/parse-trace.ts";
import { reasonOf, reasonText } from "../../data/errors/mapping-summary.ts";
import { FrameSource } from "./source-lines.tsx";
import { SourceLink } from "./source-link.tsx";

/** A trace may have thousands of frames; more are rendered on request. */
const STEP = 100;
const MAX_TEXT_LENGTH = 2_000;

type Props = {
  rows: readonly TraceRow[];
  label: string;
  /** Whether frames show source lines, or why they have none. */
  hasSource: boolean;
  /** The key of the frame whose source lines are shown at first; null if frames have none. */
  opened: number | null;
  onUnfold: (key: number) => void;
};

/** The frames of a trace, in order. */
export function TraceRows({ rows, label, hasSource, opened, onUnfold }: Props) {
  const [most, setMost] = useState(STEP);
  const left = rows.length - most;
  return (
    <>
      <ol aria-label={label} className="font-mono text-sm/[18px]">
        {rows.slice(0, most).map((row) => (
          <li key={row.key} className="border-b border-line last:border-b-0">
            {row.kind === "frame" ? (
              <FrameLine frame={row.frame} hasSource={hasSource} opened={row.key === opened} />
            ) : row.kind === "text" ? (
              <pre className="px-3 py-1.5 wrap-anywhere whitespace-pre-wrap text-text-2">{cut(row.text)}</pre>
            ) : (
              <button
                type="button"
                aria-expanded={false}
                className="flex min-h-7 w-full items-center gap-1 px-2 text-start font-sans text-text-3 hover:bg-hover hover:text-text focus-visible:-outline-offset-2"
                onClick={() => onUnfold(row.key)}
              >
                <ChevronRight aria-hidden size={14} />
                {`${row.frames} library frames`}
              </button>
            )}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <div className="flex items-center gap-3 border-t border-line px-3 py-2">
          <Button size="sm" onClick={() => setMost(most + STEP * 5)}>
            {`Show ${Math.min(left, STEP * 5)} more`}
          </Button>
          <span className="text-sm text-text-3">{`${most} of ${rows.length} shown`}</span>
        </div>
      )}
    </>
  );
}

type LineProps = { frame: Frame; hasSource: boolean; opened: boolean };

const FrameLine = memo(function FrameLine({ frame, hasSource, opened }: LineProps) {
  const id = useId();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const source = hasSource && frame.sent?.context_line !== undefined ? frame.sent : undefined;
  const open = source !== undefined && (chosen ?? opened);
  const unmapped = hasSource && frame.sent ? reasonOf(frame.sent) : undefined;
  const name = frame.function ?? (frame.file === null ? "unknown" : "anonymous");
  const place = [frame.line, frame.column].filter((part) => part !== null).join(":");
  return (
    <div
      className={cx(
        "px-3 py-1.5 wrap-anywhere",
        frame.in_app ? "border-s-2 border-s-accent ps-2.5" : "text-text-3",
      )}
    >
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <span className={frame.in_app ? "font-semibold text-text" : undefined}>{name}</span>
          {!frame.in_app && <span className="sr-only"> (library)</span>}
          {frame.file !== null && (
            <span className={cx("block", frame.in_app ? "text-text-2" : "text-text-3")}>
              {frame.in_app ? (
                <SourceLink
                  file={frame.file}
                  method={frame.function}
                  line={frame.line}
                  sent={frame.sent}
                  end={<Place place={place} />}
                >
                  {frame.file}
                </SourceLink>
              ) : (
                <>
                  {frame.file}
                  <Place place={place} />
                </>
              )}
            </span>
          )}
        </div>
        {source && (
          <IconButton
            size="sm"
            label={`Source lines of ${name}`}
            icon={ChevronDown}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            className={cx("-me-2 [&_svg]:transition-transform", open && "[&_svg]:rotate-180")}
            onClick={() => setChosen(!open)}
          />
        )}
      </div>
      {open ? (
        <div id={id} className="mt-1.5">
          <FrameSource frame={source} />
        </div>
      ) : (
        frame.code !== null && (
          <code className="mt-1 block bg-sunken px-2 py-0.5 text-text">{frame.code}</code>
        )
      )}
      {unmapped && <p className="mt-0.5 font-sans text-sm text-text-3">{reasonText(unmapped)}</p>}
    </div>
  );
});

const Place = ({ place }: { place: string }) => place !== "" && <span className="text-text-3">:{place}</span>;

const cut = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
