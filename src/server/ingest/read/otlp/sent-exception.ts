/** An exception of a log record or a span's event. It is passed on as JSON. Values of attributes are of any type. */
export type SentException = {
  type: string | null;
  message: string | null;
  stacktrace: string | null;
  /** From 1 to 24; 0 if unknown. */
  severity: number;
  /** Hexadecimal, in lower case. */
  traceId: string | null;
  spanId: string | null;
  /** Of the record or event, and of its span. */
  attributes: Readonly<Record<string, unknown>>;
  resource: Readonly<Record<string, unknown>>;
  scope: { name: string | null; version: string | null };
};
