import type { EventFacts } from "../inbound-rules/event-facts.ts";
import { additionsOf, type ReadEvent } from "./read-event.ts";

/** Headers of the request that brought the event. */
export type SentFrom = { userAgent: string | undefined; origin: string | undefined };

/** What inbound rules look at. */
export function nativeFacts(event: ReadEvent, { userAgent, origin }: SentFrom): EventFacts {
  const { exception_class, message, release, environment, stack_trace } = event;
  const additions = additionsOf(event);
  const { "User-Agent": sentAgent, Referer: page } = additions?.request?.headers ?? {};
  const [newest] = additions?.frames ?? [];
  return {
    exception_class,
    message,
    release,
    environment,
    // That of a page, but not that of the library with which a server sends.
    userAgent: sentAgent ?? (origin !== undefined ? (userAgent ?? null) : null),
    file: newest?.abs_path ?? newest?.filename ?? FIRST_URL.exec(stack_trace.slice(0, 2_000))?.[0] ?? null,
    addresses: [page, origin].filter((address) => address !== undefined),
  };
}

/** In the trace of a browser, the first URL is that of the newest frame. */
const FIRST_URL = /[a-z-]{2,30}:\/\/[^\s()'"<>]{1,500}/i;
