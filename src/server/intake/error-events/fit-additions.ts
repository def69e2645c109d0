import type { EventAdditions, Frame } from "./event-additions.ts";

/** Bytes of stored JSON. */
const LIMIT = 128 * 1_024;

type Part = "tags" | "breadcrumbs" | "request" | "contexts" | "extra" | "frames";

/**
 * Cuts the largest parts until the additions fit, and names them in `truncated`. Lists lose their older half first, which
 * is at the start of breadcrumbs and at the end of frames; objects lose their largest values.
 */
export function fitAdditions(additions: EventAdditions): EventAdditions {
  const fitting = { ...additions };
  const sizes = new Map<Part, number>(PARTS.map((part) => [part, sizeOf(fitting[part])]));
  const cut = new Set<Part>();
  // What is not measured: the names of the parts, `truncated` and `removed`.
  let rest = LIMIT - 1_024 - sizeOf(additions.removed);
  for (const size of sizes.values()) rest -= size;
  while (rest < 0) {
    const [part, size] = [...sizes].reduce((largest, next) => (next[1] > largest[1] ? next : largest));
    shorten(fitting, part);
    const left = sizeOf(fitting[part]);
    sizes.set(part, left);
    cut.add(part);
    rest += size - left;
  }
  return cut.size === 0 ? additions : { ...fitting, truncated: [...additions.truncated, ...cut] };
}

const PARTS: Part[] = ["tags", "breadcrumbs", "request", "contexts", "extra", "frames"];

const sizeOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part));

function shorten(additions: EventAdditions, part: Part) {
  if (part === "breadcrumbs")
    additions.breadcrumbs = additions.breadcrumbs.slice(half(additions.breadcrumbs));
  else if (part === "frames") shortenFrames(additions);
  else if (part === "request") additions.request = null;
  else if (part === "tags") additions.tags = withoutLargest(additions.tags);
  else additions[part] = withoutLargest(additions[part]);
}

const half = (list: readonly unknown[]): number => Math.ceil(list.length / 2);

/** Frames lose variables, then lines around the error, before the oldest frames go. */
function shortenFrames(additions: EventAdditions) {
  const { frames } = additions;
  if (frames.some(({ vars }) => vars)) additions.frames = frames.map((frame) => without(frame, "vars"));
  else if (frames.some((frame) => frame.pre_context ?? frame.post_context))
    additions.frames = frames.map((frame) => without(without(frame, "pre_context"), "post_context"));
  else additions.frames = frames.slice(0, frames.length - half(frames));
}

function without(frame: Frame, part: keyof Frame): Frame {
  const rest = { ...frame };
  delete rest[part];
  return rest;
}

function withoutLargest<Value>(values: Record<string, Value>): Record<string, Value> {
  const bySize = Object.entries(values).toSorted((a, b) => sizeOf(a[1]) - sizeOf(b[1]));
  return Object.fromEntries(bySize.slice(0, bySize.length - half(bySize.slice(0, 2))));
}
