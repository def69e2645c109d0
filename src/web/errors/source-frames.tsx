import type { KeptFrame } from "../../shared/kept-events.ts";
import { cx } from "../kit/cx.ts";
import { Disclosure } from "../kit/disclosure.tsx";
import { JsonFacts } from "./json-facts.tsx";
import { SourceLink } from "./source-link.tsx";

/** The frames whose source lines the client has sent, newest first. The newest one of the app is open. */
export function SourceFrames({ frames }: { frames: readonly KeptFrame[] }) {
  const sent = frames.filter(({ context_line }) => context_line !== undefined);
  const newest = sent.find(({ in_app }) => in_app !== false) ?? sent[0];
  return (
    <div
      role="group"
      aria-label="Source code"
      className="divide-y divide-line rounded-md border border-line bg-surface"
    >
      {sent.map((frame, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order never changes
        <div key={index} className="px-2">
          <Disclosure
            defaultOpen={frame === newest}
            aside={
              frame.in_app !== false && (
                <SourceLink
                  file={frame.filename ?? frame.abs_path}
                  method={frame.module ?? frame.function}
                  line={frame.line}
                  sent={frame}
                />
              )
            }
            title={
              <span
                className={cx("font-mono text-sm wrap-anywhere", frame.in_app === false && "text-text-3")}
              >
                {frame.filename ?? frame.abs_path ?? frame.module ?? "unknown file"}
                {frame.line !== undefined && <span className="text-text-3">:{frame.line}</span>}
                {frame.function !== undefined && frame.function !== "?" && (
                  <span className="font-normal"> in {frame.function}</span>
                )}
              </span>
            }
          >
            <SourceLines frame={frame} />
            {frame.vars !== undefined && <JsonFacts value={frame.vars} />}
          </Disclosure>
        </div>
      ))}
    </div>
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
      className="mb-2 overflow-x-auto rounded-sm bg-sunken py-1 text-sm/[18px]"
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
