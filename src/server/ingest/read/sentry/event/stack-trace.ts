import { at, record, type JsonRecord } from "../../coerce.ts";
import type { Frame } from "../../event-additions.ts";
import { shareFrames } from "../../written-frames.ts";
import { BUILT_IN } from "../../../remove-personal-data/built-in-rules.ts";
import { isFreeOf, removeFromText } from "../../../remove-personal-data/remove-personal-data.ts";
import type { Removed, RemoveValues, Rules } from "../../../remove-personal-data/rules.ts";
import { framesIn, namedFrame, renderFrames, type NamedFrame } from "./frames.ts";
import { builtInFrames, framesWithout, hasNone, keptFrames, type KeptFrames } from "./kept-frames.ts";
import { fingerprintOfFrames, normalizedFrames } from "./sentry-fingerprint.ts";
import { sentryList } from "./sentry-list.ts";

/** `rules` are the built-in rules, followed by the rule for the event's user and the project's own rules. */
export type EventRules = { rules: Rules; ofUser: RemoveValues | undefined; hasOwnRules: boolean };

/** A stack trace and what is derived from it, computed when it is first needed: events with the same trace may share it. */
export class StackTrace {
  /** The newest first. */
  readonly frames: readonly JsonRecord[];
  readonly #isShared: boolean;
  #named: readonly NamedFrame[] | undefined;
  /** All names that the text shows, one per line. */
  #names: string | undefined;
  #text: string | undefined;
  #kept: KeptFrames | undefined;
  #normalized: string | undefined;
  #fingerprint: { exceptionClass: string; hash: Buffer } | undefined;

  /** `isShared`: several events have it, so more of what is derived from it is kept. */
  constructor(frames: readonly JsonRecord[], isShared = false) {
    this.frames = frames;
    this.#isShared = isShared;
  }

  /**
   * The trace as people see it, without personal data in the names of functions and files. Removals are not counted here,
   * because they are counted in the frames.
   */
  text({ rules, ofUser, hasOwnRules }: EventRules): string {
    const frames = (this.#named ??= this.frames.map(namedFrame));
    const names = (this.#names ??= frames.map(({ name, file }) => `${name}\n${file ?? ""}`).join("\n"));
    if (hasOwnRules || (ofUser && !isFreeOf([ofUser], names))) return renderFrames(frames, removeWith(rules));
    const remove = () => (isFreeOf(BUILT_IN.inText, names) ? asSent : removeWith(BUILT_IN));
    return (this.#text ??= renderFrames(frames, remove()));
  }

  /** The frames as they are kept, without personal data. Adds to `removed` what was removed. */
  kept(
    { rules, ofUser, hasOwnRules }: EventRules,
    { keepVars, removed }: { keepVars: boolean; removed: Removed },
  ): Frame[] {
    if (hasOwnRules || keepVars) return keptFrames(this.frames, { rules, removed, keepVars });
    const kept = (this.#kept ??= this.#builtInFrames());
    for (const [rule, times] of kept.removed) removed.set(rule, (removed.get(rule) ?? 0) + times);
    return ofUser && !hasNone(kept, ofUser) ? framesWithout(ofUser, kept.frames, removed) : kept.frames;
  }

  #builtInFrames(): KeptFrames {
    const kept = builtInFrames(this.frames);
    if (this.#isShared) shareFrames(kept.frames);
    return kept;
  }

  /** Computed again only if the class differs from that of the previous call. */
  fingerprint(exceptionClass: string): Buffer {
    if (this.#fingerprint?.exceptionClass !== exceptionClass) {
      const frames = (this.#named ??= this.frames.map(namedFrame));
      const normalized = (this.#normalized ??= normalizedFrames(frames));
      this.#fingerprint = { exceptionClass, hash: fingerprintOfFrames(exceptionClass, normalized) };
    }
    return this.#fingerprint.hash;
  }
}

/** By the JSON of traces that several events share. */
const shared = new WeakMap<object, StackTrace>();

/** Makes all events with this JSON share its stack trace. The JSON must never change afterwards. */
export function share(stacktrace: object): void {
  shared.set(stacktrace, new StackTrace(framesIn(record(stacktrace)), true));
}

/** The stack trace of an exception, a thread or an event. Without frames if it has none. */
export function stackTraceOf(value: unknown): StackTrace {
  const stacktrace = record(at(value, "stacktrace"));
  return shared.get(stacktrace) ?? new StackTrace(framesIn(stacktrace));
}

/** The stack trace of the thread that crashed, else of the one that sent the event. */
export function threadTrace(event: JsonRecord, thrown: JsonRecord | undefined): StackTrace {
  const threads = sentryList(event.threads, 1_000);
  const thread =
    threads.find(({ crashed }) => crashed === true) ??
    threads.find(({ id }) => id !== undefined && id === thrown?.thread_id) ??
    threads.find(({ current }) => current === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  const trace = stackTraceOf(thread);
  return trace.frames.length > 0 ? trace : stackTraceOf(event);
}

const asSent = (name: string): string => name;

/** Searches each name only once, because frames of a recursion repeat their names. */
function removeWith(rules: Rules): (name: string) => string {
  const removed = new Map();
  const known = new Map<string, string>();
  return (name) => {
    let clean = known.get(name);
    if (clean === undefined) known.set(name, (clean = removeFromText(name, rules, removed)));
    return clean;
  };
}
