import type { EventFacts } from "../drop-events/event-facts.ts";
import { additionsOf, type ReadEvent } from "./read-event.ts";

/** Headers of the request that brought the event. */
export type SentFrom = { userAgent: string | undefined; origin: string | undefined };

/** The fields that inbound rules match. */
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
    // A page's request has the user's browser; a server's request names only its HTTP library.
    userAgent: sentAgent ?? (origin !== undefined ? (userAgent ?? null) : null),
    file: newest?.abs_path ?? newest?.filename ?? FIRST_URL.exec(stack_trace.slice(0, 2_000))?.[0] ?? null,
    addresses: [page, origin].filter((address) => address !== undefined),
  };
}

/** The first URL in a browser's trace belongs to the newest frame. */
const FIRST_URL = /[a-z-]{2,30}:\/\/[^\s()'"<>]{1,500}/i;
