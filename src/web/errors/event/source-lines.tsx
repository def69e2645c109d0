import type { KeptFrame } from "../../../shared/kept-events.ts";
import { cx } from "../../kit/cx.ts";
import { JsonFacts } from "./json-facts.tsx";

/** The source lines of a frame, with its own in bold, and its local variables if they were sent. */
export function FrameSource({ frame }: { frame: KeptFrame }) {
  return (
    <>
      <SourceLines frame={frame} />
      {frame.vars !== undefined && <JsonFacts value={frame.vars} />}
    </>
  );
}

function SourceLines({ frame }: { frame: KeptFrame }) {
  const before = frame.pre_context ?? [];
  const lines = [...before, frame.context_line ?? "", ...(frame.post_context ?? [])];
  const first = frame.line === undefined ? undefined : frame.line - before.length;
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={`Source of ${frame.function ?? "the frame"}`}
      className="overflow-x-auto rounded-sm bg-sunken py-1 text-sm/[18px]"
    >
      {lines.map((line, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          key={index}
          className={cx(
            "block w-max min-w-full px-3",
            index === before.length && "bg-accent-tint font-semibold",
          )}
        >
          {first !== undefined && (
            <span aria-hidden className="me-3 inline-block w-10 text-end font-normal text-text-3 select-none">
              {first + index}
            </span>
          )}
          {line === "" ? " " : line}
        </span>
      ))}
    </pre>
  );
}
