import { isRecord, name, record, type JsonRecord } from "../coerce.ts";
import type { SentException } from "./sent-exception.ts";
import { findAttribute, listOf, readAttributes, readOtherAttributes } from "./attribute-values.ts";

/** An exception and when it occurred, in nanoseconds since 1970, as text; "0" if unknown. */
export type FoundException = { exception: SentException; time: string };

/** `discarded` counts log records or spans without an exception, `rejected` those whose exceptions are invalid. */
export type Findings = { exceptions: FoundException[]; discarded: number; rejected: number };

type Source = Pick<SentException, "scope"> & { resource: () => SentException["resource"] };

/** The exceptions in log records: by their attributes, or an event named `exception`. `request` is an ExportLogsServiceRequest. */
export function exceptionsInLogs(request: JsonRecord): Findings {
  const findings: Findings = { exceptions: [], discarded: 0, rejected: 0 };
  forEachItem(request, LOGS, (sent, source) => {
    const { attributes, isNamed, body } = readRecord(sent);
    const parts = partsOf(attributes) ?? (isNamed ? partsOf(body) : undefined);
    if (!isRecord(sent) || parts === "invalid") findings.rejected++;
    else if (!parts) findings.discarded++;
    else
      findings.exceptions.push({
        time: timeOf(sent["timeUnixNano"]) ?? timeOf(sent["observedTimeUnixNano"]) ?? "0",
        exception: {
          ...parts,
          ...idsOf(sent),
          severity: severityOf(sent["severityNumber"]),
          attributes: readOtherAttributes(attributes),
          resource: source.resource(),
          scope: source.scope,
        },
      });
  });
  return findings;
}

/** The exceptions in events of spans. `request` is an ExportTraceServiceRequest. */
export function exceptionsInSpans(request: JsonRecord): Findings {
  const findings: Findings = { exceptions: [], discarded: 0, rejected: 0 };
  forEachItem(request, SPANS, (sent, source) => {
    const span = record(sent);
    const events = listOf(span["events"]).filter((event) => record(event)["name"] === "exception");
    const found = events.map((event) => ({
      event: record(event),
      parts: partsOf(record(event)["attributes"]),
    }));
    if (!isRecord(sent) || found.some(({ parts }) => parts === "invalid")) findings.rejected++;
    else if (!found.some(({ parts }) => parts)) findings.discarded++;
    for (const { event, parts } of found)
      if (parts && parts !== "invalid")
        findings.exceptions.push({
          time: timeOf(event["timeUnixNano"]) ?? "0",
          exception: {
            ...parts,
            ...idsOf(span),
            severity: 0,
            attributes: {
              ...readAttributes(span["attributes"]),
              ...readOtherAttributes(event["attributes"]),
            },
            resource: source.resource(),
            scope: source.scope,
          },
        });
  });
  return findings;
}

/** The names of the nested lists. */
type Lists = { resources: string; scopes: string; items: string };

const LOGS: Lists = { resources: "resourceLogs", scopes: "scopeLogs", items: "logRecords" };
const SPANS: Lists = { resources: "resourceSpans", scopes: "scopeSpans", items: "spans" };

function forEachItem(
  request: JsonRecord,
  { resources, scopes, items }: Lists,
  visit: (sent: unknown, source: Source) => void,
): void {
  for (const ofResource of listOf(request[resources])) {
    let attributes: SentException["resource"] | undefined;
    // Most requests contain no exception, so nobody asks for the resource.
    const resource = () =>
      (attributes ??= readAttributes(record(record(ofResource)["resource"])["attributes"]));
    for (const ofScope of listOf(record(ofResource)[scopes])) {
      const sent = record(record(ofScope)["scope"]);
      const scope = { name: name(sent["name"]), version: name(sent["version"]) };
      for (const item of listOf(record(ofScope)[items])) visit(item, { resource, scope });
    }
  }
}

function readRecord(sent: unknown) {
  const { attributes, eventName, body } = record(sent) as Record<string, unknown>;
  const named = eventName ?? findAttribute(attributes, "event.name")?.["stringValue"];
  return { attributes, isNamed: named === "exception", body: record(record(body)["kvlistValue"]).values };
}

type Parts = Pick<SentException, "type" | "message" | "stacktrace">;

/** Undefined without a type and a message, "invalid" unless the parts are texts. */
function partsOf(attributes: unknown): Parts | "invalid" | undefined {
  const [type, message, stacktrace] = ["type", "message", "stacktrace"].map((part) => {
    const value = findAttribute(attributes, `exception.${part}`);
    return value && (value["stringValue"] ?? value);
  });
  if (type === undefined && message === undefined) return undefined;
  if (!isTextOrNone(type) || !isTextOrNone(message) || !isTextOrNone(stacktrace)) return "invalid";
  return { type: type ?? null, message: message ?? null, stacktrace: stacktrace ?? null };
}

const isTextOrNone = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";

const idsOf = (sent: JsonRecord) => ({
  traceId: idOf(sent["traceId"], 32),
  spanId: idOf(sent["spanId"], 16),
});

/** Null unless it is hexadecimal and has a digit other than 0. */
function idOf(sent: unknown, length: number): string | null {
  const isId = typeof sent === "string" && sent.length === length && /^(?!0*$)[\da-f]+$/i.test(sent);
  return isId ? sent.toLowerCase() : null;
}

function timeOf(sent: unknown): string | undefined {
  const time = typeof sent === "number" ? String(Math.trunc(sent)) : sent;
  return typeof time === "string" && /^[1-9]\d{0,19}$/.test(time) ? time : undefined;
}

const NAMES = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];

/** A number, or the name of a value such as `SEVERITY_NUMBER_ERROR2`. */
function severityOf(sent: unknown): number {
  if (typeof sent === "number") return sent >= 1 && sent <= 24 ? sent : 0;
  const [, word = "", step = "1"] =
    /^SEVERITY_NUMBER_([A-Z]+)([2-4])?$/.exec(typeof sent === "string" ? sent : "") ?? [];
  const index = NAMES.indexOf(word);
  return index === -1 ? 0 : index * 4 + Number(step);
}
