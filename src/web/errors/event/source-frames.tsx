import type { KeptFrame } from "../../../shared/kept-events.ts";
import { cx } from "../../kit/cx.ts";
import { Disclosure } from "../../kit/disclosure.tsx";
import { FrameSource } from "./source-lines.tsx";
import { SourceLink } from "./source-link.tsx";

/** Frames with source lines that the trace does not have, newest first. The newest one of the app is open. */
export function SourceFrames({ frames }: { frames: readonly KeptFrame[] }) {
  const newest = frames.find(({ in_app }) => in_app !== false) ?? frames[0];
  return (
    <div
      role="group"
      aria-label="Source code"
      className="divide-y divide-line rounded-md border border-line bg-surface"
    >
      {frames.map((frame, index) => (
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
            <div className="pb-2">
              <FrameSource frame={frame} />
            </div>
          </Disclosure>
        </div>
      ))}
    </div>
  );
}
