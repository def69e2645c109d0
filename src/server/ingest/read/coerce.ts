import { cutCodePoints } from "../../../shared/text.ts";

/** Reads JSON of any shape: values of the wrong type count as not sent. */

/** An object of any shape. The names are those that are read as properties; any other can be read by index. */
export type JsonRecord = Readonly<Record<string, unknown>> & { readonly [name in FieldName]?: unknown };

type FieldName =
  | "abs_path"
  | "breadcrumbs"
  | "browser"
  | "category"
  | "colno"
  | "column"
  | "context_line"
  | "contexts"
  | "data"
  | "environment"
  | "event_id"
  | "exception"
  | "extra"
  | "filename"
  | "fingerprint"
  | "formatted"
  | "function"
  | "headers"
  | "in_app"
  | "level"
  | "line"
  | "lineno"
  | "logentry"
  | "mechanism"
  | "message"
  | "method"
  | "module"
  | "modules"
  | "params"
  | "path"
  | "platform"
  | "post_context"
  | "pre_context"
  | "release"
  | "request"
  | "runtime"
  | "server_name"
  | "tags"
  | "thread_id"
  | "threads"
  | "transaction"
  | "type"
  | "url"
  | "user"
  | "values"
  | "vars";

const NOTHING: JsonRecord = Object.freeze({});

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object, or an empty one. */
export const record = (value: unknown): JsonRecord => (isRecord(value) ? value : NOTHING);

/** A string, number or boolean as text of at most `max` code points. Null for anything else and for an empty string. */
export function text(value: unknown, max: number): string | null {
  if (typeof value === "string") return cut(value, max) || null;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Cuts the text to `max` code points and replaces NUL and lone surrogates, which PostgreSQL rejects. */
export function cut(value: string, max: number): string {
  const short = value.length <= max ? value : cutCodePoints(value, max);
  return (short.includes("\0") ? short.replaceAll("\0", "\uFFFD") : short).toWellFormed();
}

const MAX_WORD_LENGTH = 320;

/**
 * Like `cut`, but drops a word that the limit would cut in half: half of an email address is not recognized as personal
 * data.
 */
export function cutBetweenWords(value: string, max: number): string {
  const short = cut(value, max);
  if (short.length === value.length) return short;
  const end = short.slice(-MAX_WORD_LENGTH);
  return (short.slice(0, short.length - end.length) + end.replace(/\S+$/, "")).toWellFormed();
}

/** Like `text`, but a text that is too long ends before the word at its limit. */
export const textOfWords = (value: unknown, max: number): string | null =>
  typeof value === "string" ? cutBetweenWords(value, max) || null : text(value, max);

/** A name that is stored in one of the columns of at most 255 characters. */
export const name = (value: unknown): string | null => text(value, 255)?.trim() || null;

export const integer = (value: unknown, min: number, max: number): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : null;

/** The values at the path, for example `at(event, "contexts", "trace", "op")`. */
export function at(value: unknown, ...path: string[]): unknown {
  let inner = value;
  for (const key of path) inner = Object.hasOwn(record(inner), key) ? record(inner)[key] : undefined;
  return inner;
}
