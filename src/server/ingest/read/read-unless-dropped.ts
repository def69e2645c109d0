import { droppingRule, type Dropped, type SlowRule } from "../drop-events/dropping-rule.ts";
import { nativeFacts, type SentFrom } from "./native-facts.ts";
import { readEvent, type ReadEvent, type ReadingOptions } from "./read-event.ts";

/** `inboundRules` is the JSON of the project's active rules; null without any. */
export type NativeOptions = ReadingOptions & { inboundRules: string | null; sentFrom: SentFrom };

/**
 * Reads an event from a request body, unless an inbound rule of the project drops it. Adds rules that take too long to `slow`.
 * Throws like `readEvent`.
 */
export function readUnlessDropped(
  bytes: Buffer,
  { inboundRules, sentFrom, ...options }: NativeOptions,
  slow: SlowRule[] = [],
): ReadEvent | Dropped {
  const event = readEvent(bytes, options);
  const droppedBy =
    inboundRules === null
      ? undefined
      : droppingRule(inboundRules, nativeFacts(event, sentFrom), slow, options.rulesMs);
  return droppedBy === undefined ? event : { droppedBy };
}
