import type { JsonRecord } from "../../coerce.ts";
import type { Frame } from "../../event-additions.ts";
import { readFrames } from "../../read-additions.ts";
import { withoutQuery } from "../../without-query.ts";
import { BUILT_IN } from "../../../remove-personal-data/built-in-rules.ts";
import { isFreeOf } from "../../../remove-personal-data/remove-personal-data.ts";
import { count, type Removed, type RemoveValues, type Rules } from "../../../remove-personal-data/rules.ts";

/** Frames as they are kept, and what was removed from them. `texts` are all names in them, `lines` all their source code. */
export type KeptFrames = { frames: Frame[]; removed: Removed; texts: string; lines: string };

/** The frames without what the rules remove. */
export const keptFrames = (
  sent: readonly JsonRecord[],
  options: { rules: Rules; removed: Removed; keepVars: boolean },
): Frame[] => readFrames(sent.map(keptFrame), options);

/**
 * The frames without what the built-in rules remove, and without variables. Most frames contain nothing of that, which one search
 * of all their texts finds out.
 */
export function builtInFrames(sent: readonly JsonRecord[]): KeptFrames {
  const whole = readWith(NO_RULES, sent);
  const isClean = isFreeOf(BUILT_IN.inText, whole.texts) && isFreeOf(BUILT_IN.inCode, whole.lines);
  return isClean ? whole : readWith(BUILT_IN, sent);
}

/** Whether the rule finds nothing in the frames. */
export const hasNone = ({ texts, lines }: KeptFrames, rule: RemoveValues): boolean =>
  isFreeOf([rule], texts) && isFreeOf([rule], lines);

/** Applies one more rule. Frames in which it finds nothing stay the same objects, because their JSON may be shared. */
export const framesWithout = (rule: RemoveValues, frames: readonly Frame[], removed: Removed): Frame[] =>
  frames.map((frame) => withTexts(frame, (text) => rule(text, (name) => count(name, removed))));

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

const NO_RULES: Rules = { ruleOfKey: () => undefined, inText: [], inCode: [] };

function readWith(rules: Rules, sent: readonly JsonRecord[]): KeptFrames {
  const removed: Removed = new Map();
  const frames = keptFrames(sent, { rules, removed, keepVars: false });
  const texts: string[] = [];
  const lines: string[] = [];
  for (const { function: name, filename, module, abs_path, ...source } of frames) {
    for (const text of [name, filename, module, abs_path]) if (text !== undefined) texts.push(text);
    for (const before of source.pre_context ?? []) lines.push(before);
    if (source.context_line !== undefined) lines.push(source.context_line);
    for (const after of source.post_context ?? []) lines.push(after);
  }
  return { frames, removed, texts: texts.join("\n"), lines: lines.join("\n") };
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
