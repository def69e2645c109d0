import type { Frame, TraceEntry } from "../../../shared/stack-trace/parse-trace.ts";

export type TraceRow =
  | { kind: "frame"; key: number; frame: Frame }
  | { kind: "text"; key: number; text: string }
  | { kind: "folded"; key: number; frames: number };

/**
 * The rows of a trace, with runs of two or more library frames folded into one row each, except for runs whose `key`
 * is in `unfolded`.
 */
export function foldFrames(entries: readonly TraceEntry[], unfolded: ReadonlySet<number>): TraceRow[] {
  const rows: TraceRow[] = [];
  for (let key = 0; key < entries.length;) {
    const end = endOfVendorRun(entries, key);
    if (end - key > 1 && !unfolded.has(key)) {
      rows.push({ kind: "folded", key, frames: end - key });
      key = end;
      continue;
    }
    const stop = Math.max(end, key + 1);
    for (; key < stop; key++) rows.push(...rowOf(entries, key));
  }
  return rows;
}

/** All rows, without folding. */
export function allRows(entries: readonly TraceEntry[]): TraceRow[] {
  return entries.flatMap((_, key) => rowOf(entries, key));
}

function rowOf(entries: readonly TraceEntry[], key: number): TraceRow[] {
  const entry = entries[key];
  if (entry === undefined) return [];
  return entry.kind === "frame"
    ? [{ kind: "frame", key, frame: entry }]
    : [{ kind: "text", key, text: entry.text }];
}

function endOfVendorRun(entries: readonly TraceEntry[], start: number): number {
  let end = start;
  for (let entry = entries[end]; entry?.kind === "frame" && !entry.in_app; entry = entries[end]) end++;
  return end;
}
