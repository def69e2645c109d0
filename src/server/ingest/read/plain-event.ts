import {
  MAX_NAME_LENGTH,
  MAX_PREVIOUS_EXCEPTIONS,
  MAX_PREVIOUS_MESSAGE_LENGTH,
  MAX_TRACE_LENGTH,
  type ErrorEvent,
} from "../../../shared/error-events.ts";
import { EVENT_FACT_ENTRIES, type FactKind } from "../../../shared/event-facts.ts";
import { isRecord } from "./coerce.ts";

type Previous = NonNullable<ErrorEvent["previous_exceptions"]>[number];

/**
 * A fast path for `errorEvent`: returns what the schema would return if the event is valid and its text needs no repair, as
 * is the case for nearly all events. Undefined for any other event, which the schema must parse. May keep unknown fields.
 */
export function plainEvent(sent: unknown): ErrorEvent | undefined {
  if (!isRecord(sent)) return undefined;
  const event = sent as ErrorEvent;
  const isPlain =
    isName(event.environment) &&
    isName(event.exception_class) &&
    isText(event.message, Infinity) &&
    isText(event.stack_trace, MAX_TRACE_LENGTH) &&
    (isNone(event.release) || isText(event.release, Infinity)) &&
    isNameAndVersion(event.runtime) &&
    isNameAndVersion(event.framework) &&
    EVENT_FACT_ENTRIES.every(([name, kind]) => IS_FACT[kind](event[name])) &&
    isContext(event.context) &&
    isOptionalName(event.host);
  if (!isPlain) return undefined;
  const previous: unknown = event.previous_exceptions;
  if (isNone(previous)) return event;
  if (!Array.isArray(previous) || previous.length > MAX_PREVIOUS_EXCEPTIONS || !previous.every(isPrevious))
    return undefined;
  // Stored as JSON, so unknown fields must be removed.
  event.previous_exceptions = previous.map(({ exception_class, message, stack_trace }: Previous) => ({
    exception_class,
    message,
    stack_trace,
  }));
  return event;
}

const isNone = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Compares UTF-16 code units. A longer text may still be within the limit of code points, which the schema counts. */
const isText = (value: unknown, max: number): boolean =>
  typeof value === "string" && value.length <= max && !value.includes("\0") && value.isWellFormed();

const isName = (value: unknown): boolean => isText(value, MAX_NAME_LENGTH) && (value as string).trim() !== "";

const isOptionalName = (value: unknown): boolean => isNone(value) || isText(value, MAX_NAME_LENGTH);

const isOptionalInteger = (value: unknown, min: number, max: number): boolean =>
  isNone(value) || (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max);

const IS_FACT: Record<FactKind, (value: unknown) => boolean> = {
  name: isOptionalName,
  bytes: (value) => isOptionalInteger(value, 0, Number.MAX_SAFE_INTEGER),
};

const isNameAndVersion = (value: unknown): boolean =>
  isNone(value) ||
  (isRecord(value) &&
    isOptionalName(value["name"]) &&
    isOptionalName((value as { version?: unknown }).version));

const isPrevious = (value: unknown): boolean =>
  isRecord(value) &&
  isName((value as Partial<Previous>).exception_class) &&
  isText(value.message, MAX_PREVIOUS_MESSAGE_LENGTH) &&
  isText((value as Partial<Previous>).stack_trace, MAX_TRACE_LENGTH);

function isContext(value: unknown): boolean {
  if (isNone(value)) return true;
  if (!isRecord(value)) return false;
  const context = value as Record<string, unknown>;
  if (!isOptionalName(context["name"])) return false;
  switch (context["kind"]) {
    case "route":
      return (
        isOptionalName(context["method"]) &&
        isOptionalName(context["pattern"]) &&
        isOptionalName(context["action"]) &&
        isOptionalInteger(context["response_status"], 100, 599)
      );
    case "job":
      return (
        isOptionalName(context["queue"]) && isOptionalInteger(context["attempt"], 1, Number.MAX_SAFE_INTEGER)
      );
    case "command":
      return isOptionalName(context["class"]);
    default:
      return false;
  }
}
