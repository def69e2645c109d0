import type { ErrorEventBody } from "./event.ts";
import { maxMessage, maxPrevious, maxText, maxTrace } from "./limits.ts";
import { filled, property } from "./safe.ts";

/** How each field of an object is read; undefined leaves the field out. */
type Shape = Record<string, (value: unknown) => unknown>;

const text = (value: unknown) => {
  const given = filled(value)?.trim() && (value as string);
  return given ? given.slice(0, maxText) : undefined;
};
const long = (limit: number) => (value: unknown) => (filled(value) ?? "").slice(0, limit);
const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: unknown) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? value : undefined;
const named = (value: unknown) => (value ? shaped(value, { name: text, version: text }) : undefined);

const exception: Shape = {
  exception_class: (value) => text(value) ?? "Error",
  message: long(maxMessage),
  stack_trace: long(maxTrace),
};

const contexts: Record<string, Shape> = {
  route: {
    name: text,
    method: text,
    // A pattern that is a URL makes the server drop the whole context; without it the rest is kept.
    pattern: (value) => (/^[^/]*:\/\/|^\/\/|\?[^/{}]*[=&]/.test(String(value)) ? undefined : text(value)),
    action: text,
    response_status: whole(100, 599),
  },
  job: { name: text, queue: text, attempt: whole(1) },
  command: { name: text, class: text },
};

const event: Shape = {
  environment: (value) => text(value) ?? "production",
  ...exception,
  release: filled,
  previous_exceptions: (value) =>
    Array.isArray(value) ? value.slice(0, maxPrevious).map((one) => shaped(one, exception)) : undefined,
  exception_code: text,
  runtime: named,
  framework: named,
  memory_peak_bytes: whole(0),
  memory_limit_bytes: whole(0),
  context: (value) => {
    const kind = String(property(value, "kind"));
    const shape = Object.hasOwn(contexts, kind) && contexts[kind];
    return shape ? { kind, ...shaped(value, shape) } : undefined;
  },
  host: text,
  user_hash: (value) => (/^[0-9a-f]{64}$/.test(String(value)) ? value : undefined),
};

/**
 * The event as it may be sent: the fields of section 4.6 and no others, each within its limit, a wrong one left out.
 * It is what stands between `beforeSend`, which may return anything, and the server.
 */
export function fit(given: unknown): ErrorEventBody {
  return shaped(given, event) as unknown as ErrorEventBody;
}

function shaped(from: unknown, shape: Shape): Record<string, unknown> {
  const fitting: Record<string, unknown> = {};
  for (const name in shape) fitting[name] = shape[name]!(property(from, name));
  return fitting;
}
