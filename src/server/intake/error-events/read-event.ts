import { errorEvent, type ErrorEvent } from "../../../shared/error-events.ts";
import { badRequest, invalid } from "../../answers/errors.ts";
import { fieldErrors } from "../../answers/validation.ts";
import { contextLabel } from "./context-label.ts";
import { readContext, type EventContext } from "./event-context.ts";
import { fingerprint } from "./fingerprint.ts";

/** The first bytes of a message that are stored (service.md 4.6). */
const MESSAGE_BYTES = 65_535;

type NameAndVersion = { name: string | null; version: string | null };
type PreviousException = { exception_class: string; message: string; stack_trace: string };

/** An event as it is stored: repaired, cut, whitelisted, with its fingerprint and its label; null is not sent. */
export type ReadEvent = {
  environment: string;
  exception_class: string;
  message: string;
  stack_trace: string;
  fingerprint: Buffer;
  release: string | null;
  previous_exceptions: PreviousException[];
  exception_code: string | null;
  runtime: NameAndVersion;
  framework: NameAndVersion;
  memory_peak_bytes: number | null;
  memory_limit_bytes: number | null;
  context: EventContext | null;
  context_label: string | null;
  host: string | null;
  user_hash: string | null;
};

/** Body bytes → event. Throws 400 when they are no JSON, 422 with every failing field otherwise. */
export function readEvent(bytes: Buffer): ReadEvent {
  const result = errorEvent.safeParse(parse(bytes));
  if (!result.success) throw invalid(fieldErrors(result.error));
  const sent = result.data;
  const context = readContext(sent.context);
  return {
    environment: sent.environment,
    exception_class: sent.exception_class,
    message: firstBytes(sent.message),
    stack_trace: sent.stack_trace,
    fingerprint: fingerprint(sent.exception_class, sent.stack_trace),
    release: sent.release || null,
    previous_exceptions: sent.previous_exceptions ?? [],
    exception_code: sent.exception_code || null,
    runtime: nameAndVersion(sent.runtime),
    framework: nameAndVersion(sent.framework),
    memory_peak_bytes: sent.memory_peak_bytes ?? null,
    memory_limit_bytes: sent.memory_limit_bytes ?? null,
    context,
    context_label: context && contextLabel(context),
    host: sent.host || null,
    user_hash: typeof sent.user_hash === "string" && USER_HASH.test(sent.user_hash) ? sent.user_hash : null,
  };
}

const USER_HASH = /^[0-9a-f]{64}$/;

const nameAndVersion = (sent: ErrorEvent["runtime"]): NameAndVersion => ({
  name: sent?.name || null,
  version: sent?.version || null,
});

/** Lossy where the bytes are not UTF-8: an event is never lost for its text. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
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
