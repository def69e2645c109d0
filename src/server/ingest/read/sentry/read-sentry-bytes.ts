import { badRequest } from "../../../answers/errors.ts";
import { record } from "../coerce.ts";
import { readEventId } from "../event-additions.ts";
import type { ReadEvent } from "../read-event.ts";
import type { Unstored } from "../unstored.ts";
import { droppingRule, type SlowRule } from "../../drop-events/dropping-rule.ts";
import { parseEvent } from "./recent-stacks.ts";
import { isErrorEvent, readSentryEvent, type SentryOptions } from "./read-sentry-event.ts";
import { sentryFacts } from "./sentry-facts.ts";

/** Reads the JSON of an `event` item. 400 if it is not JSON. Adds inbound rules that take too long to `slow`. */
export function readSentryBytes(
  bytes: Buffer,
  options: SentryOptions,
  slow: SlowRule[] = [],
): ReadEvent | Unstored {
  const value = parseOr400(bytes, parseEvent);
  const event = readSentryEvent(value, options);
  const { inboundRules } = options;
  const droppedBy =
    event && inboundRules !== null
      ? droppingRule(inboundRules, sentryFacts(value, event, options), slow, options.rulesMs)
      : undefined;
  if (event && droppedBy === undefined) return event;
  const outcome = isErrorEvent(value) ? "filtered" : "discarded";
  return { event_id: readEventId(record(value).event_id), outcome, droppedBy };
}

/** 400 if it is not JSON. Bytes that are not UTF-8 are replaced, so that no event is lost because of its encoding. */
export const parseJson = (bytes: Buffer): unknown =>
  parseOr400(bytes, (all) => JSON.parse(all.toString("utf8")) as unknown);

function parseOr400(bytes: Buffer, parse: (bytes: Buffer) => unknown): unknown {
  try {
    return parse(bytes);
  } catch {
    throw badRequest("The event or report is not valid JSON.");
  }
}
