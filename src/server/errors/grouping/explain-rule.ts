import type { Grouping } from "../../../shared/error-grouping.ts";
import { isRecord, record, type JsonRecord } from "../../ingest/read/coerce.ts";
import { groupOf, keyOf } from "../../ingest/store/group-identity.ts";
import { fingerprint } from "../../ingest/read/fingerprint.ts";
import { normalizeTrace } from "../../ingest/read/normalize-trace.ts";
import { hasStackFrame } from "../../ingest/read/stack-frames.ts";
import { namedFrame, type NamedFrame } from "../../ingest/read/sentry/event/frames.ts";
import { fingerprintOfFrames, normalizedFrames } from "../../ingest/read/sentry/event/sentry-fingerprint.ts";

/** The latest event of a group. Its class is one of `classes`, because merged fingerprints may have other classes. */
export type TracedEvent = {
  project_id: number;
  environment: string;
  classes: string[];
  stack_trace: string;
  /** The stored JSON. Its `frames` are those of a Sentry SDK, newest first, if they were kept. */
  additions: string | null;
  /** The keys of the group and its aliases, as hexadecimal text. */
  keys: string[];
};

/** A fingerprint by mapped frames, instead of the one by frames as sent. */
export type MappedFingerprint = { mapped: Buffer; lines: Grouping["lines"] };

/** The fingerprints that the event can have by its class and trace as sent. */
export const fingerprintsAsSent = (event: TracedEvent): Buffer[] =>
  event.classes.flatMap((name) => [
    fingerprint(name, event.stack_trace),
    ...[keptFrames, renderedFrames].map((framesOf) =>
      fingerprintOfFrames(name, normalizedFrames(framesOf(event).map(namedFrame))),
    ),
  ]);

/**
 * The rule by which the event got its fingerprint, and the part of each line that counts. The rule is not stored, so this
 * computes the fingerprint by each rule and compares it with those of the group. `mapped` are those stored for `fingerprintsAsSent`.
 */
export function explainRule(
  event: TracedEvent,
  mapped: MappedFingerprint[],
): Pick<Grouping, "rule" | "lines"> {
  const byMapped = mapped.find((one) => hasKey(event, one.mapped));
  if (byMapped) return { rule: "mapped_frames", lines: byMapped.lines };
  const { stack_trace, classes } = event;
  if (classes.some((name) => hasKey(event, fingerprint(name, stack_trace)))) return nativeRule(stack_trace);
  for (const framesOf of [keptFrames, renderedFrames]) {
    const frames = framesOf(event).map(namedFrame);
    const normalized = normalizedFrames(frames);
    if (
      frames.length > 0 &&
      (hasRemovals(stack_trace) ||
        classes.some((name) => hasKey(event, fingerprintOfFrames(name, normalized))))
    )
      return { rule: "class_and_trace", lines: linesOfFrames(frames, stack_trace) };
  }
  return { rule: "client", lines: [] };
}

/**
 * The fingerprint includes personal data that was removed from the stored trace, so it cannot be computed again. In that case
 * `class_and_trace` is assumed, because few clients send their own fingerprint.
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

/** Library frames count only if there are no others. A trace that was too long lacks lines, so frames are used instead. */
function linesOfFrames(frames: NamedFrame[], trace: string): Grouping["lines"] {
  const hasOwn = frames.some(({ isOwn }) => isOwn);
  const rendered = trace.split("\n");
  return frames.map((frame, n) => {
    const line = normalizedFrames([frame]);
    const original = rendered.length === frames.length ? (rendered[n] as string) : line;
    return { original, normalized: hasOwn && !frame.isOwn ? "" : line };
  });
}

function keptFrames({ additions }: TracedEvent): JsonRecord[] {
  if (additions === null) return [];
  const { frames } = record(JSON.parse(additions));
  return Array.isArray(frames) ? frames.filter(isRecord) : [];
}

/** Parses the frames from the trace, for events that were stored before frames were kept. */
function renderedFrames({ stack_trace }: TracedEvent): JsonRecord[] {
  const frames = stack_trace.split("\n").map((line) => SENTRY_LINE.exec(line)?.groups);
  return frames.every((frame) => frame !== undefined) ? frames.filter(isRecord) : [];
}

const SENTRY_LINE = /^ {4}at (?<function>[^(]*?)(?: \((?<filename>.*?)(?::\d+){0,2}\))?$/;
