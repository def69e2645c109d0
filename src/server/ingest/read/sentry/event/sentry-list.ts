import { isRecord, type JsonRecord } from "../../coerce.ts";

/**
 * The objects of a list, which SDKs send as `{values: […]}`, as a bare array or as a single object. At most `max` objects
 * from its end, where the newest ones are.
 */
export function sentryList(value: unknown, max: number): JsonRecord[] {
  const values = isRecord(value) ? (Array.isArray(value.values) ? value.values : [value]) : value;
  return Array.isArray(values) ? values.filter(isRecord).slice(-max) : [];
}
