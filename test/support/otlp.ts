import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Requests of OTLP in its JSON encoding, and the same in Protobuf. */

export type Attributes = Record<string, unknown>;

type Value = {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string;
  doubleValue?: number;
  arrayValue?: { values: Value[] };
  kvlistValue?: { values: KeyValue[] };
};
type KeyValue = { key: string; value: Value };

export const attributesOf = (attributes: Attributes): KeyValue[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: unknown): Value {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "bigint") return { intValue: String(value) };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return { kvlistValue: { values: attributesOf(value as Attributes) } };
}

export type LogRecord = {
  timeUnixNano?: string;
  severityNumber?: number;
  attributes?: KeyValue[];
  traceId?: string;
  spanId?: string;
  eventName?: string;
};
export type Span = {
  traceId?: string;
  spanId?: string;
  name?: string;
  attributes?: KeyValue[];
  events?: { timeUnixNano?: string; name: string; attributes: KeyValue[] }[];
};

const SCOPE = { name: "shop-tracer", version: "1.2.0" };

export const logsRequest = (logRecords: LogRecord[], resource: Attributes = {}) => ({
  resourceLogs: [
    { resource: { attributes: attributesOf(resource) }, scopeLogs: [{ scope: SCOPE, logRecords }] },
  ],
});

export const traceRequest = (spans: Span[], resource: Attributes = {}) => ({
  resourceSpans: [
    { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: SCOPE, spans }] },
  ],
});

export const JAVASCRIPT_TRACE = `PaymentError: the card was declined
    at placeOrder (/app/shop.js:12:9)
    at main (/app/main.js:3:1)`;

/** The attributes of an exception. */
export const anException = (overrides: Attributes = {}): Attributes => ({
  "exception.type": "PaymentError",
  "exception.message": "the card was declined",
  "exception.stacktrace": JAVASCRIPT_TRACE,
  ...overrides,
});

export const TIME = "1795600000000000000";

/** The time in nanoseconds, some seconds after `TIME`. */
export const secondsLater = (seconds: number): string =>
  String(BigInt(TIME) + BigInt(Math.round(seconds * 1e9)));

/** The field numbers of opentelemetry-proto 1.10, for what the tests send. */
export function encodeLogs({ resourceLogs }: ReturnType<typeof logsRequest>): Buffer {
  const writer = new BinaryWriter();
  for (const { resource, scopeLogs } of resourceLogs)
    message(writer, 1, () => {
      message(writer, 1, () => keyValues(writer, 1, resource.attributes));
      for (const { scope, logRecords } of scopeLogs)
        message(writer, 2, () => {
          message(writer, 1, () => writeScope(writer, scope));
          for (const record of logRecords) message(writer, 2, () => writeLogRecord(writer, record));
        });
    });
  return Buffer.from(writer.finish());
}

export function encodeTraces({ resourceSpans }: ReturnType<typeof traceRequest>): Buffer {
  const writer = new BinaryWriter();
  for (const { resource, scopeSpans } of resourceSpans)
    message(writer, 1, () => {
      message(writer, 1, () => keyValues(writer, 1, resource.attributes));
      for (const { scope, spans } of scopeSpans)
        message(writer, 2, () => {
          message(writer, 1, () => writeScope(writer, scope));
          for (const span of spans) message(writer, 2, () => writeSpan(writer, span));
        });
    });
  return Buffer.from(writer.finish());
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

const text = (writer: BinaryWriter, field: number, value: string) =>
  void writer.tag(field, WireType.LengthDelimited).string(value);

const id = (writer: BinaryWriter, field: number, hex: string | undefined) =>
  hex === undefined ? undefined : writer.tag(field, WireType.LengthDelimited).bytes(Buffer.from(hex, "hex"));

function writeScope(writer: BinaryWriter, { name, version }: typeof SCOPE) {
  text(writer, 1, name);
  text(writer, 2, version);
}

function writeLogRecord(writer: BinaryWriter, record: LogRecord) {
  const { timeUnixNano = "0", severityNumber = 0, attributes = [], eventName } = record;
  writer.tag(1, WireType.Bit64).fixed64(timeUnixNano);
  writer.tag(2, WireType.Varint).int32(severityNumber);
  text(writer, 3, "a severity text, which is not read");
  keyValues(writer, 6, attributes);
  id(writer, 9, record.traceId);
  id(writer, 10, record.spanId);
  if (eventName !== undefined) text(writer, 12, eventName);
}

function writeSpan(writer: BinaryWriter, span: Span) {
  id(writer, 1, span.traceId);
  id(writer, 2, span.spanId);
  text(writer, 5, span.name ?? "");
  keyValues(writer, 9, span.attributes ?? []);
  for (const { timeUnixNano = "0", name, attributes } of span.events ?? [])
    message(writer, 11, () => {
      writer.tag(1, WireType.Bit64).fixed64(timeUnixNano);
      text(writer, 2, name);
      keyValues(writer, 3, attributes);
    });
}

function keyValues(writer: BinaryWriter, field: number, pairs: KeyValue[]): void {
  for (const { key, value } of pairs)
    message(writer, field, () => {
      text(writer, 1, key);
      message(writer, 2, () => writeValue(writer, value));
    });
}

function writeValue(writer: BinaryWriter, value: Value): void {
  if (value.stringValue !== undefined) text(writer, 1, value.stringValue);
  if (value.boolValue !== undefined) writer.tag(2, WireType.Varint).bool(value.boolValue);
  if (value.intValue !== undefined) writer.tag(3, WireType.Varint).int64(value.intValue);
  if (value.doubleValue !== undefined) writer.tag(4, WireType.Bit64).double(value.doubleValue);
  const { arrayValue, kvlistValue } = value;
  if (arrayValue)
    message(writer, 5, () =>
      arrayValue.values.forEach((each) => message(writer, 1, () => writeValue(writer, each))),
    );
  if (kvlistValue) message(writer, 6, () => keyValues(writer, 1, kvlistValue.values));
}
