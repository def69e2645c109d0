import type { ErrorEventBody } from "./event.ts";

/**
 * The event again for a server that refused it as too large or as invalid: short, and with the five fields that every
 * version of the server reads.
 */
export function smaller({
  environment,
  exception_class,
  message,
  stack_trace,
  release,
}: ErrorEventBody): ErrorEventBody {
  return {
    environment,
    exception_class,
    message: message.slice(0, 4000),
    stack_trace: stack_trace.slice(0, 8000),
    release,
  };
}
