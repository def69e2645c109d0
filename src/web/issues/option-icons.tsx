import type { LaneKind } from "../../shared/lanes.ts";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { TypeMark } from "../marks/type-mark.tsx";

/** Icons next to a text with the same meaning, hidden from screen readers. */

export function LaneIcon({ kind }: { kind: LaneKind }) {
  return (
    <span aria-hidden className="flex">
      <LaneMark kind={kind} compact />
    </span>
  );
}

export function PriorityIcon({ priority }: { priority: number }) {
  return (
    <span aria-hidden className="flex">
      <PriorityMark priority={priority} compact />
    </span>
  );
}

export function TypeIcon({ type }: { type: 0 | 1 }) {
  return (
    <span aria-hidden className="flex">
      <TypeMark type={type} compact />
    </span>
  );
}

export function LabelDot({ color }: { color: string }) {
  return (
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-full forced-colors:border"
      style={{ backgroundColor: color }}
    />
  );
}
