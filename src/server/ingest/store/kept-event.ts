import type { EventAdditions } from "../read/event-additions.ts";
import { writeFrames } from "../read/written-frames.ts";
import { fitInto } from "./fit-into.ts";
import { additionsOf, type ReadEvent } from "../read/read-event.ts";

/** Bytes of JSON that a kept event may take. */
const MAX_KEPT_BYTES = 128 * 1024;

/** Reserved for the fields that are never cut. Each has at most 255 characters, except the release. */
const RESERVED_BYTES = 12 * 1024;

/** The most bytes that a UTF-16 code unit takes: escaped in JSON, and in UTF-8. */
const MAX_BYTES_PER_UNIT = 6;
const MAX_UTF8_PER_UNIT = 3;

/** The shortened versions of parts that are too large for a kept event; `previous_exceptions` is JSON. */
type Cut = { message: string; stack_trace: string; previous_exceptions: string };

/** The columns that are stored only for a kept event. */
export type KeptEvent = {
  pseudonym: string | null;
  tags: string | null;
  additions: string | null;
  cut: Cut | null;
};

/** Pass null for `additions`, which take most of the time, if the event is only counted. */
export function toKeptEvent(event: ReadEvent, additions = additionsOf(event)): KeptEvent {
  const pseudonym = event.user_hash && `u_${event.user_hash.slice(0, 8)}`;
  return { pseudonym, ...(writtenWhole(event, additions) ?? writtenToFit(event, additions)) };
}

export const additionBytes = ({ tags, additions }: KeptEvent): number =>
  Buffer.byteLength(tags ?? "") + Buffer.byteLength(additions ?? "");

type Written = Omit<KeptEvent, "pseudonym">;

/** A quick check that suffices for most events. Undefined if the event may be too large and its parts must be measured. */
function writtenWhole(event: ReadEvent, sent: EventAdditions | null): Written | undefined {
  const textBytes = Math.min(textLength(event) * MAX_BYTES_PER_UNIT, event.most_bytes ?? Infinity);
  const { tags, additions } = sent ? writeAdditions(sent) : { tags: null, additions: null };
  const room = MAX_KEPT_BYTES - RESERVED_BYTES - textBytes;
  const units = (tags?.length ?? 0) + (additions?.length ?? 0);
  const fits =
    units * MAX_UTF8_PER_UNIT < room ||
    Buffer.byteLength(tags ?? "") + Buffer.byteLength(additions ?? "") < room;
  return fits ? { tags, additions, cut: null } : undefined;
}

function writeAdditions({ tags, frames, truncated, removed, ...more }: EventAdditions) {
  // Most of the text is frames, which many events share.
  const before = JSON.stringify(more).slice(0, -1);
  const after = JSON.stringify({ truncated, removed }).slice(1);
  return {
    tags: Object.keys(tags).length > 0 ? JSON.stringify(tags) : null,
    additions: `${before},"frames":${writeFrames(frames)},${after}`,
  };
}

function writtenToFit(event: ReadEvent, additions: EventAdditions | null): Written {
  const { message, stack_trace, previous_exceptions } = event;
  const { truncated = [], removed = {}, ...sent } = additions ?? ({} as Partial<EventAdditions>);
  const { parts, cut } = fitInto(MAX_KEPT_BYTES - RESERVED_BYTES, {
    message,
    stack_trace,
    previous_exceptions,
    ...sent,
  });
  const {
    tags = {},
    breadcrumbs = [],
    request = null,
    contexts = {},
    extra = {},
    frames = [],
    debug_images,
  } = parts;
  const written = writeAdditions({
    tags,
    breadcrumbs,
    request,
    contexts,
    extra,
    frames,
    ...(debug_images && { debug_images }),
    truncated: [...new Set([...truncated, ...cut.map(nameOfPart)])],
    removed,
  });
  return {
    tags: written.tags,
    additions: additions || cut.length > 0 ? written.additions : null,
    cut: ["message", "stack_trace", "previous_exceptions"].some((name) => cut.includes(name))
      ? {
          message: parts.message,
          stack_trace: parts.stack_trace,
          previous_exceptions: JSON.stringify(parts.previous_exceptions),
        }
      : null,
  };
}

/** People know debug images only as what finds the original code of frames. */
const nameOfPart = (name: string): string => (name === "debug_images" ? "frames" : name);

function textLength({ message, stack_trace, previous_exceptions, release }: ReadEvent): number {
  let length = message.length + stack_trace.length + (release?.length ?? 0);
  for (const previous of previous_exceptions)
    length += previous.exception_class.length + previous.message.length + previous.stack_trace.length + 60;
  return length;
}
