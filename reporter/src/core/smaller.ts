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
    environment: text(environment, 255) || "production",
    exception_class: text(exception_class, 255) || "Error",
    message: text(message, 4000),
    stack_trace: text(stack_trace, 8000),
    release,
  };
}

/** `beforeSend` may have returned anything. */
function text(value: unknown, limit: number): string {
  return String(value ?? "").slice(0, limit);
}
