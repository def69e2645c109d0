import { errorEvent, type ErrorEvent } from "../../shared/error-events.ts";
import { badRequest, invalid } from "../http/errors.ts";
import { fieldErrors } from "../http/validation.ts";
import { contextLabel } from "./context-label.ts";
import { fingerprint } from "./fingerprint.ts";
import { isAllowedPattern } from "./route-pattern.ts";

/** The first bytes of a message that are stored (service.md 4.6). */
const MESSAGE_BYTES = 65_535;

/** An event as it is stored: repaired, cut, whitelisted, with its fingerprint and its label. */
export type ReadEvent = Omit<ErrorEvent, "context"> & {
  fingerprint: Buffer;
  context: ErrorEvent["context"];
  context_kind: string | null;
  context_label: string | null;
};

/** Body bytes → event. Throws 400 when they are no JSON, 422 with every failing field otherwise. */
export function readEvent(bytes: Buffer): ReadEvent {
  const result = errorEvent.safeParse(parse(bytes));
  if (!result.success) throw invalid(fieldErrors(result.error));
  const event = result.data;
  const context = keepContext(event.context);
  return {
    ...event,
    message: firstBytes(event.message),
    fingerprint: fingerprint(event.exception_class, event.stack_trace),
    context,
    context_kind: context && context.kind,
    context_label: context && contextLabel(context),
  };
}

/** Lossy where the bytes are not UTF-8: an event is never lost for its text. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** An event whose pattern shows more than the declared route loses its context and nothing else. */
function keepContext(context: ErrorEvent["context"]): ErrorEvent["context"] {
  if (context?.kind === "route" && context.pattern !== null && !isAllowedPattern(context.pattern))
    return null;
  return context;
}

function firstBytes(message: string): string {
  // No UTF-16 unit takes more than three bytes.
  if (message.length * 3 <= MESSAGE_BYTES) return message;
  const bytes = Buffer.from(message, "utf8");
  if (bytes.length <= MESSAGE_BYTES) return message;
  let end = MESSAGE_BYTES;
  // A continuation byte at the cut: go back to where its character begins.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
