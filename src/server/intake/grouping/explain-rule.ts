import type { Grouping } from "../../../shared/error-grouping.ts";
import { isRecord, record, type JsonRecord } from "../error-events/coerce.ts";
import { groupOf, keyOf } from "../error-events/group-identity.ts";
import { fingerprint } from "../error-events/fingerprint.ts";
import { normalizeTrace } from "../error-events/normalize-trace.ts";
import { hasStackFrame } from "../error-events/stack-frames.ts";
import { normalizedFrames, sentryFingerprint } from "../sentry/event/sentry-fingerprint.ts";

/** The latest event of a group. Its class is one of `classes`, because merged fingerprints may have other classes. */
export type TracedEvent = {
  project_id: number;
  environment: string;
  classes: string[];
  stack_trace: string;
  /** JSON that the server wrote, with the frames of a Sentry SDK if they were kept, the newest first. */
  additions: string | null;
  /** The keys of the group and its aliases, as hexadecimal text. */
  keys: string[];
};

/**
 * The rule that gave the event its fingerprint, and what of each line counts. The rule is not stored: the fingerprint is
 * computed again by each rule, and compared with those of the group.
 */
export function explainRule(event: TracedEvent): Pick<Grouping, "rule" | "lines"> {
  const { stack_trace, classes } = event;
  if (classes.some((name) => hasKey(event, fingerprint(name, stack_trace)))) return nativeRule(stack_trace);
  for (const framesOf of [keptFrames, renderedFrames]) {
    const frames = framesOf(event);
    if (
      frames.length > 0 &&
      (hasRemovals(stack_trace) ||
        classes.some((name) => hasKey(event, sentryFingerprint(undefined, name, frames, stack_trace))))
    )
      return { rule: "class_and_trace", lines: linesOfFrames(frames, stack_trace) };
  }
  return { rule: "client", lines: [] };
}

/**
 * Personal data that was removed from the trace is a part of its fingerprint, which can therefore not be computed again. Few
 * clients name their own.
 */
const hasRemovals = (trace: string): boolean => trace.includes("[removed: ");

function hasKey({ project_id, environment, keys }: TracedEvent, hash: Buffer): boolean {
  return keys.includes(keyOf(groupOf(project_id, { fingerprint: hash, environment })).toString("hex"));
}

function nativeRule(trace: string): Pick<Grouping, "rule" | "lines"> {
  const normalized = normalizeTrace(trace);
  const originals = trace.split(/\r\n?|\n/);
  const lines = normalized.split("\n").map((line, n) => ({ original: originals[n] ?? "", normalized: line }));
  if (hasStackFrame(normalized))
    return { rule: "class_and_trace", lines: lines.filter(({ original }) => original !== "") };
  const first = lines.findIndex((line) => line.normalized.trim() !== "");
  return {
    rule: "class_and_first_line",
    lines: lines
      .map(({ original, normalized: line }, n) => ({ original, normalized: n === first ? line.trim() : "" }))
      .filter(({ original }) => original !== ""),
  };
}

/** Frames of libraries do not count if there are others. A trace that was too long has lost lines. */
function linesOfFrames(frames: JsonRecord[], trace: string): Grouping["lines"] {
  const hasOwn = frames.some((frame) => frame.in_app !== false);
  const rendered = trace.split("\n");
  return frames.map((frame, n) => {
    const line = normalizedFrames([frame]);
    const original = rendered.length === frames.length ? (rendered[n] as string) : line;
    return { original, normalized: hasOwn && frame.in_app === false ? "" : line };
  });
}

function keptFrames({ additions }: TracedEvent): JsonRecord[] {
  if (additions === null) return [];
  const { frames } = record(JSON.parse(additions));
  return Array.isArray(frames) ? frames.filter(isRecord) : [];
}

/** Events stored before frames were kept have only the trace, which was rendered from the frames. */
function renderedFrames({ stack_trace }: TracedEvent): JsonRecord[] {
  const frames = stack_trace.split("\n").map((line) => SENTRY_LINE.exec(line)?.groups);
  return frames.every((frame) => frame !== undefined) ? frames.filter(isRecord) : [];
}

const SENTRY_LINE = /^ {4}at (?<function>[^(]*?)(?: \((?<filename>.*?)(?::\d+){0,2}\))?$/;
