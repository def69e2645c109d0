import { at, cut, isRecord, record, text, type JsonRecord } from "../../coerce.ts";

/**
 * Characters that are read. The message is cut to the stored limit of 65,535 bytes only after personal data has been removed,
 * because half of an email address is not recognized as personal data.
 */
const MAX_LENGTH = 66_000;
const MAX_PARAMETER_LENGTH = 1_000;

export type Message = {
  text: string;
  /** The text without its parameters filled in, if parameters were sent. */
  template: string | null;
};

/** The message of an event without an exception. */
export function messageOf(event: JsonRecord): Message | null {
  // Old SDKs send the object as `message`.
  const entry = isRecord(event.logentry) ? event.logentry : record(event.message);
  const template = text(entry.message, MAX_LENGTH);
  const params = parametersOf(entry.params);
  const formatted =
    text(entry.formatted, MAX_LENGTH) ??
    (template !== null && params ? fillIn(template, params) : template) ??
    text(event.message, MAX_LENGTH);
  return formatted === null ? null : { text: formatted, template: params ? template : null };
}

/** The message of an exception. Some SDKs send an object. */
export function valueOf(exception: JsonRecord): string | null {
  const { value } = exception;
  return typeof value === "object" && value !== null
    ? cut(asJson(value), MAX_LENGTH)
    : text(value, MAX_LENGTH);
}

function asJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "[nested too deeply]";
  }
}

type Parameters = { list: unknown[] } | { byName: JsonRecord };

function parametersOf(params: unknown): Parameters | null {
  if (Array.isArray(params)) return params.length > 0 ? { list: params } : null;
  return isRecord(params) && Object.keys(params).length > 0 ? { byName: params } : null;
}

// `%s`, `%5.2f`, `%(name)s`, `{}`, `{0}`, `{name}`; `%%` is a percent sign.
const PLACEHOLDER = /%%|%(?:\((\w{1,100})\))?[-+ #0-9.]{0,10}[a-zA-Z]|\{(\w{0,100})\}/g;

function fillIn(template: string, params: Parameters): string {
  let next = 0;
  let length = 0;
  return template.replace(PLACEHOLDER, (placeholder, inPercent?: string, inBraces?: string) => {
    if (placeholder === "%%") return "%";
    const key = inPercent ?? inBraces ?? "";
    const value =
      "byName" in params
        ? at(params.byName, key)
        : params.list[/^\d{1,4}$/.test(key) ? Number(key) : key === "" ? next++ : -1];
    const filled = text(value, MAX_PARAMETER_LENGTH);
    if (filled === null || length > MAX_LENGTH) return placeholder;
    length += filled.length;
    return filled;
  });
}

const VARIABLE_PARTS: [pattern: RegExp, placeholder: string][] = [
  [/"[^"\n]*"|`[^`\n]*`|(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu, "<text>"],
  [/\[removed: [^\]\n]{1,100}\]/g, "<removed>"],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "<uuid>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/g, "<date>"],
  [/\b(?:0x[\da-f]+|(?=[a-f]{0,40}\d)[\da-f]{8,})\b/gi, "<hex>"],
  [/(?<![A-Za-z\d])\d+(?:[.,:]\d+)*/g, "<number>"],
];

/** Removes the variable parts of a message, so that messages with the same template are grouped. */
export function templateOf(message: string): string {
  return VARIABLE_PARTS.reduce((rest, [pattern, placeholder]) => rest.replace(pattern, placeholder), message);
}
