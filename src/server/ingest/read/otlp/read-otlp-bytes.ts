import { droppingRule, type SlowRule } from "../../drop-events/dropping-rule.ts";
import { nativeFacts, type SentFrom } from "../native-facts.ts";
import type { ReadEvent, ReadingOptions } from "../read-event.ts";
import type { Unstored } from "../unstored.ts";
import { readOtlpEvent } from "./read-otlp-event.ts";
import type { SentException } from "./sent-exception.ts";

/** `userHashSecret` is the project's key for hashing users, `inboundRules` the JSON of its active rules; null without any. */
export type OtlpOptions = ReadingOptions &
  SentFrom & { userHashSecret: Uint8Array; inboundRules: string | null };

/** Reads an exception that the door has written, unless an inbound rule of the project drops it. Adds slow rules to `slow`. */
export function readOtlpBytes(
  bytes: Buffer,
  options: OtlpOptions,
  slow: SlowRule[] = [],
): ReadEvent | Unstored {
  const event = readOtlpEvent(JSON.parse(bytes.toString("utf8")) as SentException, options);
  const { inboundRules } = options;
  const droppedBy =
    inboundRules === null
      ? undefined
      : droppingRule(inboundRules, nativeFacts(event, options), slow, options.rulesMs);
  return droppedBy === undefined ? event : { event_id: null, outcome: "filtered", droppedBy };
}
