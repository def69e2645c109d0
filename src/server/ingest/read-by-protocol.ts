import type { SlowRule } from "./drop-events/dropping-rule.ts";
import { readOtlpBytes, type OtlpOptions } from "./read/otlp/read-otlp-bytes.ts";
import { readUnlessDropped, type NativeOptions } from "./read/read-unless-dropped.ts";
import { readSentryBytes } from "./read/sentry/read-sentry-bytes.ts";
import type { SentryOptions } from "./read/sentry/read-sentry-event.ts";
import type { Reading } from "./read/worker-reader.ts";

/** How to read an event, in a form that can be sent to another thread. */
export type How =
  | ({ protocol: "native" } & NativeOptions)
  | ({ protocol: "sentry" } & SentryOptions)
  | ({ protocol: "otlp" } & OtlpOptions);

/** Reads the event, unless it is not stored. Adds the inbound rules that take too long to `slow`. */
export function readBody(body: Buffer, how: How, slow: SlowRule[] = []): Reading {
  if (how.protocol === "native") return readUnlessDropped(body, how, slow);
  return how.protocol === "sentry" ? readSentryBytes(body, how, slow) : readOtlpBytes(body, how, slow);
}
