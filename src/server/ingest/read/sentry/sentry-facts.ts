import { at, record, text } from "../coerce.ts";
import type { ReadEvent } from "../read-event.ts";
import type { EventFacts } from "../../drop-events/event-facts.ts";
import { exceptionsOf } from "./event/exceptions.ts";
import { messageOf, valueOf } from "./event/message.ts";
import { header } from "./event/runtime.ts";
import { stackTraceOf } from "./event/stack-trace.ts";
import type { SentryOptions } from "./read-sentry-event.ts";

/** The fields that inbound rules match. The message still contains personal data. */
export function sentryFacts(
  value: unknown,
  read: ReadEvent,
  { userAgent, origin }: SentryOptions,
): EventFacts {
  const event = record(value);
  const { thrown } = exceptionsOf(event);
  const { frames } = stackTraceOf(thrown);
  const files = frames.map((frame) => text(frame.abs_path, 2_000) ?? text(frame.filename, 2_000));
  const isOfPage = event.platform === "javascript" || origin !== undefined;
  const page = text(at(event, "request", "url"), 2_000);
  return {
    exception_class: read.exception_class,
    message: (thrown && valueOf(thrown)) ?? messageOf(event)?.text ?? "",
    release: read.release,
    environment: read.environment,
    userAgent: header(event, "user-agent") ?? (isOfPage ? (userAgent ?? null) : null),
    file: files.find((file) => file !== null && !WITHOUT_FILE.has(file)) ?? null,
    addresses: [page, origin].filter((address) => address !== null && address !== undefined),
  };
}

const WITHOUT_FILE = new Set(["<anonymous>", "[native code]"]);
