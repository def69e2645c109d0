import { isRecord, record, type JsonRecord } from "../../error-events/coerce.ts";
import type { EventAdditions, Frame } from "../../error-events/event-additions.ts";
import { readAdditions, readFrames } from "../../error-events/read-additions.ts";
import { shareFrames } from "../../error-events/written-frames.ts";
import { BUILT_IN } from "../../personal-data/built-in-rules.ts";
import { count, type Removed, type Rules } from "../../personal-data/rules.ts";
import { withoutQuery } from "./frames.ts";
import { remembered } from "./remembered.ts";
import { sentryList } from "./sentry-list.ts";
import type { UserRule } from "./user.ts";
import { Words } from "./words.ts";

type Options = {
  /** The built-in rules, followed by the rule for the event's user and the project's own rules. */
  rules: Rules;
  removed: Removed;
  keepVars: boolean;
  ofUser: UserRule | undefined;
  hasOwnRules: boolean;
};

/** The parts of a Sentry SDK's event that are stored only if it is kept. `frames` are those of the trace, newest first. */
export function sentryAdditions(
  event: JsonRecord,
  frames: readonly JsonRecord[],
  options: Options,
): EventAdditions | null {
  return readAdditions(
    {
      tags: event.tags,
      breadcrumbs: sentryList(event.breadcrumbs, 100),
      request: event.request,
      contexts: keptContexts(event),
      extra: event.extra,
    },
    options,
    () => framesWithin(frames, options),
  );
}

/** The result of the built-in rules is cached for shared frames, so only the rule for the user runs for each event. */
function framesWithin(frames: readonly JsonRecord[], options: Options): Frame[] {
  const { ofUser, hasOwnRules, keepVars, removed } = options;
  if (hasOwnRules || keepVars) return readFrames(frames.map(keptFrame), options);
  const clean = remembered(frames, withoutPersonalData);
  for (const [rule, times] of clean.removed) removed.set(rule, (removed.get(rule) ?? 0) + times);
  if (!ofUser) return clean.frames;
  const found = (rule: string) => count(rule, removed);
  return clean.frames.map((frame, n) =>
    ofUser.mayFind(clean.words[n] as Words) ? withTexts(frame, (text) => ofUser.remove(text, found)) : frame,
  );
}

/** `words` contains the words of each frame. */
function withoutPersonalData(sent: readonly JsonRecord[]) {
  const removed: Removed = new Map();
  const frames = readFrames(sent.map(keptFrame), { rules: BUILT_IN, removed, keepVars: false });
  shareFrames(frames);
  const words = frames.map(
    (frame) =>
      new Words(
        Object.values(frame)
          .flat()
          .filter((value) => typeof value === "string"),
      ),
  );
  return { frames, removed, words };
}

/** Returns the frame itself if no text changes, because its JSON is cached. */
function withTexts(frame: Frame, change: (text: string) => string): Frame {
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(frame as Record<string, unknown>)) {
    const kept =
      typeof value === "string" ? change(value) : Array.isArray(value) ? withLines(value, change) : value;
    if (kept !== value) (copy ??= { ...frame })[key] = kept;
  }
  return copy ?? frame;
}

function withLines(lines: readonly string[], change: (text: string) => string): readonly string[] {
  const changed = lines.map(change);
  return changed.some((line, n) => line !== lines[n]) ? changed : lines;
}

/** The only entries of traces and responses that are kept: others contain URLs, headers, cookies and bodies. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  trace: ["trace_id", "span_id", "parent_span_id", "op", "status", "origin"],
  response: ["status_code", "body_size"],
};

/** Entries of a device that identify it. It may be named after its owner. */
const OF_OWNER = ["name", "serial", "serial_number", "device_unique_identifier"];

/** Contexts about the user. */
const LEFT_OUT = new Set(["feedback", "user"]);

function keptContexts(event: JsonRecord): Record<string, unknown> {
  const contexts: [key: string, context: JsonRecord][] = [];
  for (const [key, sent] of Object.entries(record(event.contexts))) {
    if (LEFT_OUT.has(key) || !isRecord(sent)) continue;
    const context = keptEntries(key, sent);
    if (Object.keys(context).length > 0) contexts.push([key, context]);
  }
  return Object.fromEntries(contexts);
}

function keptEntries(key: string, context: JsonRecord): JsonRecord {
  const kept = Object.hasOwn(KEPT, key) ? KEPT[key] : undefined;
  if (kept) return Object.fromEntries(Object.entries(context).filter(([entry]) => kept.includes(entry)));
  return key === "device" && OF_OWNER.some((entry) => Object.hasOwn(context, entry))
    ? Object.fromEntries(Object.entries(context).filter(([entry]) => !OF_OWNER.includes(entry)))
    : context;
}

function keptFrame(frame: JsonRecord): JsonRecord {
  const { filename, abs_path } = frame;
  return {
    ...frame,
    ...(frame.in_app === true && isGoLibrary(frame) && { in_app: false }),
    ...(typeof filename === "string" && { filename: withoutQuery(filename) }),
    ...(typeof abs_path === "string" && { abs_path: withoutQuery(abs_path) }),
  };
}

/**
 * Go's SDK marks everything outside the standard library as part of the application. This corrects only what people see: the
 * fingerprint still follows the SDK, because changing it would split groups.
 */
const isGoLibrary = ({ filename, abs_path, module }: JsonRecord): boolean =>
  [filename, abs_path].some((file) => typeof file === "string" && GO_LIBRARY.test(file)) ||
  (typeof module === "string" && GO_SDK.test(module));

// `-trimpath` leaves only `github.com/gin-gonic/gin@v1.10.0/context.go`.
const GO_LIBRARY = /(?:^|[/\\])go[/\\]pkg[/\\]mod[/\\]|^[^/]+\/[^@]+@v\d[^/]*\/.*\.go$/;
const GO_SDK = /^github\.com\/getsentry\/sentry-go(?:\/|$)/;
