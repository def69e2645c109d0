import { MAX_TRACE_LENGTH } from "../../../../shared/error-events.ts";
import { mapFacts, type FactKind } from "../../../../shared/event-facts.ts";
import type { Level } from "../../../../shared/levels.ts";
import { BUILT_IN } from "../../remove-personal-data/built-in-rules.ts";
import { ownRulesIn, withOwnRules } from "../../remove-personal-data/own-rules.ts";
import { addressesInName, addressesInRelease } from "../../remove-personal-data/personal-values.ts";
import { removeFromText } from "../../remove-personal-data/remove-personal-data.ts";
import type { Removed, RemoveValues, Rules } from "../../remove-personal-data/rules.ts";
import { NAME, nameWithout } from "../clean-name.ts";
import { cut, cutBetweenWords, name } from "../coerce.ts";
import { contextLabel } from "../context-label.ts";
import { once } from "../event-additions.ts";
import { fingerprint } from "../fingerprint.ts";
import { readAdditions } from "../read-additions.ts";
import { truncateMessage, type ReadEvent, type ReadingOptions } from "../read-event.ts";
import { templateOf } from "../sentry/event/message.ts";
import { userHash, userRule } from "../sentry/event/user.ts";
import { contextOf, requestOf } from "./context.ts";
import { keptAttributes, userOf } from "./attributes.ts";
import type { SentException } from "./sent-exception.ts";
import { bothEnds, comparableTrace, qualifiedClass, traceWithoutMessage } from "./stack-trace.ts";

/** Characters of a message that are read. It is cut to the stored limit once personal data has been removed. */
const MAX_MESSAGE_LENGTH = 66_000;

/**
 * Converts an exception of OpenTelemetry. Cuts values rather than rejecting them, and removes the user and other personal data before
 * anything is stored. The event has no id: the door gives it one.
 */
export function readOtlpEvent(
  sent: SentException,
  { privacyRules, rulesMs, userHashSecret }: ReadingOptions & { userHashSecret: Uint8Array },
): ReadEvent {
  const { resource, scope } = sent;
  const removed: Removed = new Map();
  const user = userOf(sent);
  const ofUser = userRule({ user });
  const rules = withOwnRules(ofUser ? withUserRule(ofUser) : BUILT_IN, ownRulesIn(privacyRules), rulesMs);
  const clean = (text: string) => removeFromText(text, rules, removed);
  const nameOf = (value: unknown, remove: RemoveValues) => nameWithout(remove, value, removed);
  const sentClass = qualifiedClass(sent.type?.trim() || "Error", sent.stacktrace ?? "");
  const exceptionClass = cut(NAME.test(sentClass) ? sentClass : clean(sentClass), 255);
  const sentMessage = cutBetweenWords(sent.message ?? "", MAX_MESSAGE_LENGTH);
  const message = truncateMessage(clean(sentMessage));
  const trace = traceWithoutMessage(sent.stacktrace ?? "", { type: sentClass, message: sent.message ?? "" });
  // Personal data is removed before a trace is made from a message.
  const traceText = trace.trim() === "" ? templateOf(message) : clean(bothEnds(trace, MAX_TRACE_LENGTH));
  const context = contextOf(sent.attributes, (text) => clean(text) !== text);
  return {
    environment:
      nameOf(resource["deployment.environment.name"], addressesInName) ??
      nameOf(resource["deployment.environment"], addressesInName) ??
      "production",
    exception_class: exceptionClass,
    message,
    stack_trace: cut(traceText, MAX_TRACE_LENGTH),
    fingerprint: fingerprint(exceptionClass, comparableTrace(traceText)),
    release: nameOf(resource["service.version"], addressesInRelease),
    previous_exceptions: [],
    runtime: {
      name: name(resource["process.runtime.name"]) ?? name(resource["telemetry.sdk.language"]),
      version: name(resource["process.runtime.version"]),
    },
    framework: { name: nameOf(scope.name, addressesInName), version: name(scope.version) },
    facts: NO_FACTS,
    context,
    context_label: context && contextLabel(context),
    host: nameOf(resource["host.name"], addressesInName),
    user_hash: userHash({ user }, userHashSecret),
    event_id: null,
    level: levelOf(sent.severity),
    most_bytes: null,
    additions: once(() => readAdditions(additionsIn(sent), { rules, removed, keepVars: false }, () => [])),
  };
}

const NO_FACTS = mapFacts<Record<FactKind, null>>(() => null);

const withUserRule = (ofUser: RemoveValues): Rules => ({
  ...BUILT_IN,
  inText: [...BUILT_IN.inText, ofUser],
});

const additionsIn = (sent: SentException) => ({
  tags: {
    "service.name": sent.resource["service.name"],
    "service.namespace": sent.resource["service.namespace"],
  },
  breadcrumbs: [],
  request: requestOf(sent.attributes),
  contexts: traceContext(sent),
  extra: keptAttributes(sent),
});

const traceContext = ({ traceId, spanId }: SentException) =>
  traceId === null && spanId === null
    ? {}
    : {
        trace: {
          ...(traceId !== null && { trace_id: traceId }),
          ...(spanId !== null && { span_id: spanId }),
        },
      };

function levelOf(severity: number): Level {
  if (severity >= 21) return "fatal";
  if (severity >= 17 || severity === 0) return "error";
  return severity >= 13 ? "warning" : "info";
}
