import { MAX_PREVIOUS_EXCEPTIONS, MAX_TRACE_LENGTH } from "../../../../shared/error-events.ts";
import { mapFacts, type FactKind } from "../../../../shared/event-facts.ts";
import { NAME, nameWithout } from "../clean-name.ts";
import { cut, isRecord, type JsonRecord } from "../coerce.ts";
import { contextLabel } from "../context-label.ts";
import { once, readEventId } from "../event-additions.ts";
import type { Level } from "../../../../shared/levels.ts";
import { fingerprint } from "../fingerprint.ts";
import { ownFingerprint } from "../own-fingerprint.ts";
import { truncateMessage, type ReadEvent } from "../read-event.ts";
import { BUILT_IN } from "../../remove-personal-data/built-in-rules.ts";
import { addressesInName, addressesInRelease } from "../../remove-personal-data/personal-values.ts";
import { ownRulesIn, withOwnRules } from "../../remove-personal-data/own-rules.ts";
import { removeFromText } from "../../remove-personal-data/remove-personal-data.ts";
import type { Removed, RemoveValues, Rules } from "../../remove-personal-data/rules.ts";
import { contextOf } from "./event/context.ts";
import { classOf, exceptionCode, exceptionsOf, isOfMessage } from "./event/exceptions.ts";
import { frameworkOf } from "./event/framework.ts";
import { messageOf, templateOf, valueOf } from "./event/message.ts";
import { runtimeOf } from "./event/runtime.ts";
import { sentryAdditions } from "./event/sentry-additions.ts";
import { stackTraceOf, threadTrace, type EventRules, type StackTrace } from "./event/stack-trace.ts";
import { userHash, userRule } from "./event/user.ts";

/** `privacyRules` and `inboundRules` are the JSON of the project's active rules; null without any. */
export type SentryOptions = {
  /** The `User-Agent` header of the request that sent the event. */
  userAgent: string | undefined;
  /** The origin of the page that sent the request. */
  origin: string | undefined;
  /** The project's key for hashing users. */
  userHashSecret: Uint8Array;
  keepDebugEvents: boolean;
  keepVars: boolean;
  privacyRules: string | null;
  inboundRules: string | null;
  /** Milliseconds of CPU time for the project's rules, if not the usual ones. */
  rulesMs?: number;
};

/** Old SDKs send transactions as events. */
export const isErrorEvent = (value: unknown): value is JsonRecord =>
  isRecord(value) && value.type !== "transaction";

/**
 * Reads the event of a Sentry SDK. Converts and cuts values rather than rejecting them, because an SDK cannot correct its data.
 * Removes the raw user and other personal data before anything is stored. Undefined for events that are not stored: a
 * transaction, a value that is not an object, or the level debug unless the project keeps such events.
 */
export function readSentryEvent(value: unknown, options: SentryOptions): ReadEvent | undefined {
  if (!isErrorEvent(value)) return undefined;
  const event = value;
  const level = levelOf(event.level);
  if (level === "debug" && !options.keepDebugEvents) return undefined;

  const removed: Removed = new Map();
  const ofUser = userRule(event);
  const own = ownRulesIn(options.privacyRules);
  const rules = withOwnRules(ofUser ? withUserRule(ofUser) : BUILT_IN, own, options.rulesMs);
  const clean = (text: string) => removeFromText(text, rules, removed);
  const nameOf = (sent: unknown, remove: RemoveValues) => nameWithout(remove, sent, removed);
  const cleanName = (text: string) => (NAME.test(text) ? text : cut(clean(text), 255));
  const eventRules: EventRules = { rules, ofUser, hasOwnRules: own !== undefined };

  const { thrown, chain } = exceptionsOf(event);
  const message = messageOf(event);
  const exception = thrown && message && isOfMessage(thrown) ? undefined : thrown;
  const exceptionClass = exception ? classOf(exception, event.platform) : message ? "Message" : "Error";
  const sentMessage = truncateMessage(clean((exception && valueOf(exception)) ?? message?.text ?? ""));
  const trace = traceOfEvent(event, exception);
  const hasFrames = trace.frames.length > 0;
  const template = message?.template ? clean(message.template) : undefined;
  const traceText = cut(
    hasFrames ? trace.text(eventRules) : (template ?? templateOf(sentMessage)),
    MAX_TRACE_LENGTH,
  );
  const computed = hasFrames ? trace.fingerprint(exceptionClass) : fingerprint(exceptionClass, traceText);
  const code = exceptionCode(event, thrown);
  const context = contextOf(event, (text) => clean(text) !== text);
  return {
    environment: nameOf(event.environment, addressesInName) ?? "production",
    exception_class: cleanName(exceptionClass),
    message: sentMessage,
    stack_trace: traceText,
    fingerprint: ownFingerprint(event.fingerprint, computed) ?? computed,
    release: nameOf(event.release, addressesInRelease),
    previous_exceptions: chain
      .slice(0, MAX_PREVIOUS_EXCEPTIONS)
      .map((exception) => previousException(exception, event.platform, clean, cleanName, eventRules)),
    runtime: runtimeOf(event, options.userAgent),
    framework: frameworkOf(event, thrown),
    facts: { ...NO_FACTS, exception_code: code && cleanName(code) },
    context,
    context_label: context && contextLabel(context),
    host: nameOf(event.server_name, addressesInName),
    user_hash: userHash(event, options.userHashSecret),
    event_id: readEventId(event.event_id),
    level,
    most_bytes: null,
    additions: once(() =>
      sentryAdditions(event, hasFrames ? trace : stackTraceOf(thrown), {
        rules: eventRules,
        removed,
        keepVars: options.keepVars,
      }),
    ),
  };
}

const NO_FACTS = mapFacts<Record<FactKind, null>>(() => null);

/** The trace of the exception, or of its thread if it has none. */
function traceOfEvent(event: JsonRecord, thrown: JsonRecord | undefined): StackTrace {
  const trace = stackTraceOf(thrown);
  return trace.frames.length > 0 ? trace : threadTrace(event, thrown);
}

const previousException = (
  exception: JsonRecord,
  platform: unknown,
  clean: (text: string) => string,
  cleanName: (text: string) => string,
  eventRules: EventRules,
) => ({
  exception_class: cleanName(classOf(exception, platform)),
  message: truncateMessage(clean(valueOf(exception) ?? "")),
  stack_trace: stackTraceOf(exception).text(eventRules),
});

const withUserRule = (ofUser: RemoveValues): Rules => ({
  ...BUILT_IN,
  inText: [...BUILT_IN.inText, ofUser],
  inCode: [...BUILT_IN.inCode, ofUser],
});

const LEVELS: Readonly<Record<string, Level>> = {
  fatal: "fatal",
  critical: "fatal",
  error: "error",
  warning: "warning",
  warn: "warning",
  info: "info",
  log: "info",
  debug: "debug",
};

const levelOf = (sent: unknown): Level =>
  (typeof sent === "string" && Object.hasOwn(LEVELS, sent) ? LEVELS[sent] : undefined) ?? "error";
