import type { ErrorEvent } from "../../../shared/error-events.ts";
import { BUILT_IN } from "../remove-personal-data/built-in-rules.ts";
import { withOwnRules, type OwnRules } from "../remove-personal-data/own-rules.ts";
import type { EventAdditions } from "./event-additions.ts";
import { readAdditions, readFrames } from "./read-additions.ts";

const NAMES = ["tags", "breadcrumbs", "request", "contexts", "extra", "frames", "debug_meta"] as const;

/** The parts that are stored only if the event is kept. Values of the wrong type or size are dropped or cut. */
export function nativeAdditions(
  sent: ErrorEvent,
  {
    keepVars,
    ownRules,
    rulesMs,
  }: { keepVars: boolean; ownRules: OwnRules | undefined; rulesMs: number | undefined },
): EventAdditions | null {
  // Most events have none of these.
  if (NAMES.every((name) => sent[name] === undefined)) return null;
  const { tags, breadcrumbs, request, contexts, extra, frames, debug_meta, stack_trace: trace } = sent;
  const options = { rules: withOwnRules(BUILT_IN, ownRules, rulesMs), removed: new Map(), keepVars };
  return readAdditions(
    { tags, breadcrumbs: list(breadcrumbs), request, contexts, extra, debug_meta, trace },
    options,
    () => readFrames(list(frames), options),
  );
}

const list = (sent: unknown): unknown[] => (Array.isArray(sent) ? sent : []);
