import { droppingRule, type SlowRule } from "./drop-events/dropping-rule.ts";
import { readOtlpBytes, type OtlpOptions } from "./read/otlp/read-otlp-bytes.ts";
import { nativeFacts, type SentFrom } from "./read/native-facts.ts";
import { readEvent, type ReadEvent, type ReadingOptions } from "./read/read-event.ts";
import { readSentryBytes } from "./read/sentry/read-sentry-bytes.ts";
import type { SentryOptions } from "./read/sentry/read-sentry-event.ts";
import type { Unstored } from "./read/unstored.ts";
import type { Reading } from "./read/worker-reader.ts";

/** How to read an event, in a form that can be sent to another thread. */
export type How =
  | ({ protocol: "native" } & NativeOptions)
  | ({ protocol: "sentry" } & SentryOptions)
  | ({ protocol: "otlp" } & OtlpOptions);

/** Reads the event, unless it is not stored. Adds the inbound rules that take too long to `slow`. */
export function readBody(body: Buffer, how: How, slow: SlowRule[] = []): Reading {
  if (how.protocol === "native") return readNativeBytes(body, how, slow);
  return how.protocol === "sentry" ? readSentryBytes(body, how, slow) : readOtlpBytes(body, how, slow);
}

/** `inboundRules` is the JSON of the project's active rules; null without any. */
type NativeOptions = ReadingOptions & SentFrom & { inboundRules: string | null };

/**
 * Reads a native event from a request body, unless an inbound rule of the project drops it. Adds rules that take too long to `slow`.
 * Throws like `readEvent`.
 */
function readNativeBytes(bytes: Buffer, options: NativeOptions, slow: SlowRule[] = []): ReadEvent | Unstored {
  const { inboundRules } = options;
  const event = readEvent(bytes, options);
  const droppedBy =
    inboundRules === null
      ? undefined
      : droppingRule(inboundRules, nativeFacts(event, options), slow, options.rulesMs);
  return droppedBy === undefined ? event : { event_id: event.event_id, outcome: "filtered", droppedBy };
}
