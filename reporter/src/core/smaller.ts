import type { ErrorEventBody } from "./event.ts";

/** What every version of the server accepts, and the id, with the number of characters that are kept. */
const limits = {
  event_id: 32,
  environment: 255,
  exception_class: 255,
  message: 4000,
  stack_trace: 8000,
  release: 255,
};

/**
 * Shortens an event that the server refused as too large or invalid, and reduces it to the fields above. `beforeSend`
 * may have returned anything.
 */
export function smaller(event: ErrorEventBody): ErrorEventBody {
  const result: Record<string, string> = {
    environment: "production",
    exception_class: "Error",
    message: "",
    stack_trace: "",
  };
  for (const [name, limit] of Object.entries(limits)) {
    const value = event[name as keyof typeof limits];
    // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- `beforeSend` may have put any value there
    if (value) result[name] = String(value).slice(0, limit);
  }
  return result as unknown as ErrorEventBody;
}
