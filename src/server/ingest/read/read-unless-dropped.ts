import { droppingRule, type SlowRule } from "../drop-events/dropping-rule.ts";
import { nativeFacts, type SentFrom } from "./native-facts.ts";
import { readEvent, type ReadEvent, type ReadingOptions } from "./read-event.ts";
import type { Unstored } from "./unstored.ts";

/** `inboundRules` is the JSON of the project's active rules; null without any. */
export type NativeOptions = ReadingOptions & SentFrom & { inboundRules: string | null };

/**
 * Reads an event from a request body, unless an inbound rule of the project drops it. Adds rules that take too long to `slow`.
 * Throws like `readEvent`.
 */
export function readUnlessDropped(
  bytes: Buffer,
  options: NativeOptions,
  slow: SlowRule[] = [],
): ReadEvent | Unstored {
  const { inboundRules } = options;
  const event = readEvent(bytes, options);
  const droppedBy =
    inboundRules === null
      ? undefined
      : droppingRule(inboundRules, nativeFacts(event, options), slow, options.rulesMs);
  return droppedBy === undefined ? event : { event_id: event.event_id, outcome: "filtered", droppedBy };
}
