/**
 * The parts of OTLP's messages that are read, by field number. Every other field is skipped. Decoded messages have the names and values
 * of OTLP's JSON encoding: ids are hexadecimal and 64-bit numbers are texts.
 */
export type Message = { readonly [fieldNumber: number]: Field };

export type Field = {
  name: string;
  /** A message is a function because messages may contain themselves. */
  type: "text" | "hex" | "fixed64" | "int64" | "int32" | "double" | "bool" | (() => Message);
  isRepeated?: true;
  /** Its content is decoded only if it contains this word: spans without exceptions are counted unread. */
  onlyWith?: Buffer;
};

const one = (name: string, type: Field["type"]): Field => ({ name, type });
const many = (name: string, type: Field["type"], onlyWith?: Buffer): Field => ({
  name,
  type,
  isRepeated: true,
  ...(onlyWith && { onlyWith }),
});

const EXCEPTION = Buffer.from("exception");

/** Bytes are left out: personal data in them could not be recognized. */
const ANY_VALUE: Message = {
  1: one("stringValue", "text"),
  2: one("boolValue", "bool"),
  3: one("intValue", "int64"),
  4: one("doubleValue", "double"),
  5: one("arrayValue", () => ARRAY_VALUE),
  6: one("kvlistValue", () => KEY_VALUE_LIST),
};
const ARRAY_VALUE: Message = { 1: many("values", () => ANY_VALUE) };
const KEY_VALUE: Message = { 1: one("key", "text"), 2: one("value", () => ANY_VALUE) };
const KEY_VALUE_LIST: Message = { 1: many("values", () => KEY_VALUE) };

const attributes = many("attributes", () => KEY_VALUE);
const RESOURCE: Message = { 1: attributes };
const SCOPE: Message = { 1: one("name", "text"), 2: one("version", "text") };

const LOG_RECORD: Message = {
  1: one("timeUnixNano", "fixed64"),
  2: one("severityNumber", "int32"),
  5: one("body", () => ANY_VALUE),
  6: attributes,
  9: one("traceId", "hex"),
  10: one("spanId", "hex"),
  11: one("observedTimeUnixNano", "fixed64"),
  12: one("eventName", "text"),
};
const SCOPE_LOGS: Message = {
  1: one("scope", () => SCOPE),
  2: many("logRecords", () => LOG_RECORD, EXCEPTION),
};
const RESOURCE_LOGS: Message = { 1: one("resource", () => RESOURCE), 2: many("scopeLogs", () => SCOPE_LOGS) };

const EVENT: Message = { 1: one("timeUnixNano", "fixed64"), 2: one("name", "text"), 3: attributes };
const SPAN: Message = {
  1: one("traceId", "hex"),
  2: one("spanId", "hex"),
  9: attributes,
  11: many("events", () => EVENT, EXCEPTION),
};
const SCOPE_SPANS: Message = { 1: one("scope", () => SCOPE), 2: many("spans", () => SPAN, EXCEPTION) };
const RESOURCE_SPANS: Message = {
  1: one("resource", () => RESOURCE),
  2: many("scopeSpans", () => SCOPE_SPANS),
};

export const EXPORT_LOGS_REQUEST: Message = { 1: many("resourceLogs", () => RESOURCE_LOGS) };
export const EXPORT_TRACE_REQUEST: Message = { 1: many("resourceSpans", () => RESOURCE_SPANS) };
