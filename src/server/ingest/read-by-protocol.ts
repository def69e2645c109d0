import type { SlowRule } from "./drop-events/dropping-rule.ts";
import { readUnlessDropped, type NativeOptions } from "./read/read-unless-dropped.ts";
import { readSentryBytes } from "./read/sentry/read-sentry-bytes.ts";
import type { SentryOptions } from "./read/sentry/read-sentry-event.ts";
import type { Reading } from "./read/worker-reader.ts";

/** How to read an event, in a form that can be sent to another thread. */
export type How = ({ protocol: "native" } & NativeOptions) | ({ protocol: "sentry" } & SentryOptions);

/** Reads the event, unless it is not stored. Adds the inbound rules that take too long to `slow`. */
export const readBody = (body: Buffer, how: How, slow: SlowRule[] = []): Reading =>
  how.protocol === "sentry" ? readSentryBytes(body, how, slow) : readUnlessDropped(body, how, slow);
