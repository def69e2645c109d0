import { isUtf8 } from "node:buffer";
import { errorEvent, type ErrorEvent } from "../../../shared/error-events.ts";
import { EVENT_FACT_ENTRIES, type EventFacts, type FactName } from "../../../shared/event-facts.ts";
import type { Level } from "../../../shared/levels.ts";
import { badRequest, invalid } from "../../answers/errors.ts";
import { fieldErrors } from "../../answers/validation.ts";
import { ownRulesIn } from "../remove-personal-data/own-rules.ts";
import { readEventId, readLevel, type EventAdditions } from "./event-additions.ts";
import { contextLabel } from "./context-label.ts";
import { cutBytes } from "./cut-bytes.ts";
import { readContext, type EventContext } from "./event-context.ts";
import { fingerprint } from "./fingerprint.ts";
import { nativeAdditions } from "./native-additions.ts";
import { ownFingerprint } from "./own-fingerprint.ts";
import { plainEvent } from "./plain-event.ts";
import { parseEvent, type KnownTrace } from "./recent-traces.ts";
import { requireFewValues } from "./require-few-values.ts";

/** Longer messages are truncated to this many bytes of UTF-8. */
const MESSAGE_BYTES = 65_535;

type NameAndVersion = { name: string | null; version: string | null };
type PreviousException = { exception_class: string; message: string; stack_trace: string };

/** An event as it will be stored, with its fingerprint and context label. Null means not sent. */
export type ReadEvent = {
  environment: string;
  exception_class: string;
  message: string;
  stack_trace: string;
  fingerprint: Buffer;
  release: string | null;
  previous_exceptions: PreviousException[];
  runtime: NameAndVersion;
  framework: NameAndVersion;
  facts: EventFacts;
  context: EventContext | null;
  context_label: string | null;
  host: string | null;
  user_hash: string | null;
  /** 32 lowercase hexadecimal characters. The same id is stored only once within 7 days. */
  event_id: string | null;
  level: Level;
  /** May be a function that reads them on demand, because most events are only counted. */
  additions: EventAdditions | null | (() => EventAdditions | null);
  /** An upper bound for the bytes of the event's texts as JSON. Null if unknown. */
  most_bytes: number | null;
};

export const additionsOf = ({ additions }: ReadEvent): EventAdditions | null =>
  typeof additions === "function" ? additions() : additions;

/** Settings of the project. `privacyRules` is the JSON of its own active rules; null without any. */
export type ReadingOptions = {
  keepVars: boolean;
  privacyRules: string | null;
  /** Milliseconds of CPU time for the project's rules, if not the usual ones. */
  rulesMs?: number;
};

const NONE: ReadingOptions = { keepVars: false, privacyRules: null };

/**
 * Reads an event from a request body. 400 if the body is not JSON, 413 if it has too many values, 422 with every invalid
 * field.
 */
export function readEvent(
  bytes: Buffer,
  { keepVars, privacyRules, rulesMs }: ReadingOptions = NONE,
): ReadEvent {
  const { event, trace } = parse(bytes);
  const sent = plainEvent(event) ?? repairedEvent(event);
  const context = readContext(sent.context);
  return {
    environment: sent.environment,
    exception_class: sent.exception_class,
    message: truncateMessage(sent.message),
    stack_trace: sent.stack_trace,
    fingerprint: fingerprintOf(sent, trace),
    release: sent.release || null,
    previous_exceptions: sent.previous_exceptions ?? [],
    runtime: nameAndVersion(sent.runtime),
    framework: nameAndVersion(sent.framework),
    facts: factsOf(sent),
    context,
    context_label: context && contextLabel(context),
    host: sent.host || null,
    user_hash: typeof sent.user_hash === "string" && USER_HASH.test(sent.user_hash) ? sent.user_hash : null,
    event_id: readEventId(sent.event_id),
    level: readLevel(sent.level),
    most_bytes: mostBytes(bytes),
    additions: nativeAdditions(sent, { keepVars, ownRules: ownRulesIn(privacyRules), rulesMs }),
  };
}

function fingerprintOf(
  { fingerprint: sent, exception_class, stack_trace }: ErrorEvent,
  trace: KnownTrace | undefined,
): Buffer {
  const computed =
    trace?.text === stack_trace
      ? trace.fingerprint(exception_class)
      : fingerprint(exception_class, stack_trace);
  return (sent !== undefined && ownFingerprint(sent, computed)) || computed;
}

function repairedEvent(json: unknown): ErrorEvent {
  const result = errorEvent.safeParse(json);
  if (!result.success) throw invalid(fieldErrors(result.error));
  return result.data;
}

/**
 * `JSON.stringify` never writes the texts longer than they were sent, except that each byte that is not UTF-8 becomes a
 * character of three bytes.
 */
const mostBytes = (bytes: Buffer): number => (isUtf8(bytes) ? bytes.length : bytes.length * 3);

const USER_HASH = /^[0-9a-f]{64}$/;

function factsOf(sent: ErrorEvent): EventFacts {
  const facts = {} as Record<FactName, string | number | null>;
  for (const [name, kind] of EVENT_FACT_ENTRIES)
    facts[name] = kind === "name" ? sent[name] || null : knownBytes(sent[name] as number);
  return facts as EventFacts;
}

/** Systems without a memory limit report one near 2^63 or 2^64. */
const knownBytes = (sent: number | null | undefined): number | null =>
  sent === Number.MAX_SAFE_INTEGER ? null : (sent ?? null);

const nameAndVersion = (sent: ErrorEvent["runtime"]): NameAndVersion => ({
  name: sent?.name || null,
  version: sent?.version || null,
});

/** Bytes that are not UTF-8 are replaced instead of rejected, so that no event is lost because of its encoding. */
function parse(bytes: Buffer): ReturnType<typeof parseEvent> {
  if (bytes.length === 0) return { event: {}, trace: undefined };
  requireFewValues(bytes);
  try {
    return parseEvent(bytes);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** Truncates the message to the stored limit. */
export const truncateMessage = (message: string): string => cutBytes(message, MESSAGE_BYTES);
