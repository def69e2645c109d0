import { isRecord, record, type JsonRecord } from "../coerce.ts";

/** Values nested more deeply are left out. */
const MAX_DEPTH = 10;

/** The attributes in OTLP's JSON encoding as an object. The first of several with the same key counts. */
export function readAttributes(sent: unknown): Record<string, unknown> {
  return Object.fromEntries(entriesOf(sent, MAX_DEPTH).toReversed());
}

/** Like `readAttributes`, without the exception's parts, which are passed on apart. */
export function readOtherAttributes(sent: unknown): Record<string, unknown> {
  const others = Object.entries(readAttributes(sent)).filter(([key]) => !key.startsWith("exception."));
  return Object.fromEntries(others);
}

/** The value in OTLP's JSON encoding of an attribute; undefined if it is not there. */
export function findAttribute(sent: unknown, key: string): JsonRecord | undefined {
  const found = listOf(sent).find((pair) => isRecord(pair) && pair["key"] === key);
  const value = record(found)["value"];
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The items of a list, and none for anything else. */
export const listOf = (sent: unknown): readonly unknown[] => (Array.isArray(sent) ? sent : []);

function entriesOf(sent: unknown, depth: number): [key: string, value: unknown][] {
  return listOf(sent).flatMap((pair) => {
    if (!isRecord(pair) || typeof pair["key"] !== "string") return [];
    const value = valueOf(pair["value"], depth);
    return value === undefined ? [] : [[pair["key"], value] as [string, unknown]];
  });
}

/** Bytes are left out: personal data in them could not be recognized. */
function valueOf(sent: unknown, depth: number): unknown {
  if (!isRecord(sent) || depth === 0) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = sent as Value;
  if (typeof stringValue === "string") return stringValue;
  if (typeof boolValue === "boolean") return boolValue;
  if (intValue !== undefined) return integerOf(intValue);
  if (typeof doubleValue === "number")
    return Number.isFinite(doubleValue) ? doubleValue : String(doubleValue);
  if (typeof doubleValue === "string" && SPECIAL.has(doubleValue)) return doubleValue;
  if (isRecord(arrayValue))
    return listOf(arrayValue.values)
      .map((value) => valueOf(value, depth - 1))
      .filter((value) => value !== undefined);
  return isRecord(kvlistValue) ? Object.fromEntries(entriesOf(kvlistValue.values, depth - 1)) : undefined;
}

type Value = Readonly<
  Partial<
    Record<"stringValue" | "boolValue" | "intValue" | "doubleValue" | "arrayValue" | "kvlistValue", unknown>
  >
>;

const SPECIAL = new Set(["NaN", "Infinity", "-Infinity"]);

/** A number, or a text if the number is too large to be exact. */
function integerOf(sent: unknown): number | string | undefined {
  if (typeof sent === "number") return Number.isInteger(sent) ? sent : undefined;
  if (typeof sent !== "string" || !/^-?\d{1,20}$/.test(sent)) return undefined;
  const number = Number(sent);
  return Number.isSafeInteger(number) ? number : sent;
}
