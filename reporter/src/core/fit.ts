import type { ErrorEventBody } from "./event.ts";
import { MAX_MESSAGE, MAX_PREVIOUS, MAX_TEXT, MAX_TRACE } from "./limits.ts";
import { filled, property } from "./safe.ts";

/** How to read each field of an object. A field whose reader returns undefined is omitted. */
type Shape = Record<string, (value: unknown) => unknown>;

/** At most this many tags, with at most this many characters in names and values. */
const MAX_TAGS = 50;
const MAX_TAG = 200;

const text = (value: unknown) => {
  const content = filled(value)?.trim() && (value as string);
  return content ? content.slice(0, MAX_TEXT) : undefined;
};
const long = (limit: number) => (value: unknown) => (filled(value) ?? "").slice(0, limit);
const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (value: unknown) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max ? value : undefined;
/** The server drops the whole context if its pattern is a URL, so such a pattern is dropped here. */
const routePattern = (value: unknown) =>
  /^[^/]*:\/\/|^\/\/|\?[^/{}?]*[=&]/.test(String(value)) ? undefined : text(value);
const named = (value: unknown) => (value ? shaped(value, { name: text, version: text }) : undefined);

const exception: Shape = {
  exception_class: (value) => text(value) ?? "Error",
  message: long(MAX_MESSAGE),
  stack_trace: long(MAX_TRACE),
};

const contexts: Record<string, Shape> = {
  route: {
    name: text,
    method: text,
    pattern: routePattern,
    action: text,
    response_status: integer(100, 599),
  },
  job: { name: text, queue: text, attempt: integer(1) },
  command: { name: text, class: text },
};

const tag = (value: unknown) => filled(value)?.slice(0, MAX_TAG);
const list = (limit: number) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.slice(-limit) : undefined;

const eventShape: Shape = {
  event_id: filled,
  level: tag,
  fingerprint: list(50),
  tags: (value) => {
    const entries = Object.entries(value ?? {}).slice(0, MAX_TAGS);
    const kept = entries.map(([name, content]) => [
      name.slice(0, MAX_TAG),
      String(content).slice(0, MAX_TAG),
    ]);
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  },
  breadcrumbs: list(100),
  frames: list(100),
  debug_meta: (value) => (value ? shaped(value, { images: list(200) }) : undefined),
  environment: (value) => text(value) ?? "production",
  ...exception,
  release: filled,
  previous_exceptions: (value) =>
    Array.isArray(value)
      ? value.slice(0, MAX_PREVIOUS).map((previous) => shaped(previous, exception))
      : undefined,
  exception_code: text,
  runtime: named,
  framework: named,
  memory_peak_bytes: integer(0),
  memory_limit_bytes: integer(0),
  context: (value) => {
    const kind = String(property(value, "kind"));
    const shape = Object.hasOwn(contexts, kind) && contexts[kind];
    return shape ? { kind, ...shaped(value, shape) } : undefined;
  },
  host: text,
  user_hash: (value) => (/^[0-9a-f]{64}$/.test(String(value)) ? value : undefined),
};

/**
 * Returns the event with only the fields the server knows: texts cut to its limits, invalid fields omitted. Needed
 * because `beforeSend` may return anything.
 */
export function fit(value: unknown): ErrorEventBody {
  return shaped(value, eventShape) as unknown as ErrorEventBody;
}

function shaped(from: unknown, shape: Shape): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name in shape) result[name] = shape[name]!(property(from, name));
  return result;
}
