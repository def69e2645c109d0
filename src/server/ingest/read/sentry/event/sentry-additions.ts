import { isRecord, record, type JsonRecord } from "../../coerce.ts";
import type { EventAdditions } from "../../event-additions.ts";
import { readAdditions } from "../../read-additions.ts";
import type { Removed } from "../../../remove-personal-data/rules.ts";
import { sentryList } from "./sentry-list.ts";
import type { EventRules, StackTrace } from "./stack-trace.ts";

/** The parts of a Sentry SDK's event that are stored only if it is kept. */
export function sentryAdditions(
  event: JsonRecord,
  trace: StackTrace,
  { rules, removed, keepVars }: { rules: EventRules; removed: Removed; keepVars: boolean },
): EventAdditions | null {
  return readAdditions(
    {
      tags: event.tags,
      breadcrumbs: sentryList(event.breadcrumbs, 100),
      request: event.request,
      contexts: keptContexts(event),
      extra: event.extra,
      debug_meta: event["debug_meta"],
    },
    { rules: rules.rules, removed, keepVars },
    () => trace.kept(rules, { keepVars, removed }),
  );
}

/** The only entries of traces and responses that are kept: others contain URLs, headers, cookies and bodies. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  trace: ["trace_id", "span_id", "parent_span_id", "op", "status", "origin"],
  response: ["status_code", "body_size"],
};

/** Entries of a device that identify it. It may be named after its owner. */
const OF_OWNER = ["name", "serial", "serial_number", "device_unique_identifier"];

/** Contexts about the user. */
const LEFT_OUT = new Set(["feedback", "user"]);

function keptContexts(event: JsonRecord): Record<string, unknown> {
  const contexts: [key: string, context: JsonRecord][] = [];
  for (const [key, sent] of Object.entries(record(event.contexts))) {
    if (LEFT_OUT.has(key) || !isRecord(sent)) continue;
    const context = keptEntries(key, sent);
    if (Object.keys(context).length > 0) contexts.push([key, context]);
  }
  return Object.fromEntries(contexts);
}

function keptEntries(key: string, context: JsonRecord): JsonRecord {
  const kept = Object.hasOwn(KEPT, key) ? KEPT[key] : undefined;
  if (kept) return Object.fromEntries(Object.entries(context).filter(([entry]) => kept.includes(entry)));
  return key === "device" && OF_OWNER.some((entry) => Object.hasOwn(context, entry))
    ? Object.fromEntries(Object.entries(context).filter(([entry]) => !OF_OWNER.includes(entry)))
    : context;
}
