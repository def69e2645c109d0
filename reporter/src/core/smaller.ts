import type { ErrorEventBody } from "./event.ts";

/**
 * Shortens an event that the server refused as too large or invalid, and reduces it to its id and the five fields
 * that every version of the server accepts.
 */
export function smaller({
  event_id,
  environment,
  exception_class,
  message,
  stack_trace,
  release,
}: ErrorEventBody): ErrorEventBody {
  return {
    event_id,
    environment,
    exception_class,
    message: message.slice(0, 4000),
    stack_trace: stack_trace.slice(0, 8000),
    release,
  };
}
