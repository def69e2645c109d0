import { z } from "zod";
import { mapFacts } from "./event-facts.ts";
import { LEVELS } from "./levels.ts";
import { exceedsCodePoints, mustBe } from "./text.ts";

/** Schema of an error event. Parsing repairs its text; `read-event.ts` cuts it to the stored limits afterwards. */

export const MAX_NAME_LENGTH = 255;
export const MAX_TRACE_LENGTH = 131_072;
export const MAX_PREVIOUS_MESSAGE_LENGTH = 65_535;
export const MAX_PREVIOUS_EXCEPTIONS = 10;

/**
 * Replaces NUL and lone surrogates with U+FFFD before the limits apply: an event is never rejected for its characters.
 * A single check does everything because a dozen of these run for each event.
 */
function repaired(max = Infinity, options: { blank?: boolean } = {}) {
  const mayBeBlank = options.blank ?? true;
  return z
    .string(mustBe("a string"))
    .check((payload) => {
      const value = payload.value.includes("\0") ? payload.value.replaceAll("\0", "\uFFFD") : payload.value;
      payload.value = value.toWellFormed();
      if (exceedsCodePoints(value, max)) reject(payload, `must be at most ${max} characters`);
      if (!mayBeBlank && value.trim() === "") reject(payload, "must not be blank");
    })
    .meta({ ...(max === Infinity ? {} : { maxLength: max }), ...(mayBeBlank ? {} : { minLength: 1 }) });
}

function reject(payload: z.core.ParsePayload, message: string) {
  payload.issues.push({ code: "custom", message, input: payload.value, path: [] });
}

const requiredName = repaired(MAX_NAME_LENGTH, { blank: false });
const name = repaired(MAX_NAME_LENGTH).nullish();
const wholeNumber = (min: number, max: number, message: string) =>
  z.int({ error: message }).min(min, message).max(max, message).nullish();

/** A number beyond the exact range of JavaScript becomes the largest exact one, so that no event is rejected for it. */
function integerFrom(min: number) {
  const message = `must be an integer of at least ${min}`;
  return z
    .number({ error: message })
    .check((payload) => {
      if (!Number.isInteger(payload.value) || payload.value < min) reject(payload, message);
      else payload.value = Math.min(payload.value, Number.MAX_SAFE_INTEGER);
    })
    .meta({ type: "integer", minimum: min })
    .nullish();
}

const factKinds = { name, bytes: integerFrom(0) };
const nameAndVersion = z.object({ name, version: name }, mustBe("an object")).nullish();

const previousException = z.object(
  {
    exception_class: requiredName,
    message: repaired(MAX_PREVIOUS_MESSAGE_LENGTH),
    stack_trace: repaired(MAX_TRACE_LENGTH),
  },
  mustBe("an object"),
);

const context = z.discriminatedUnion(
  "kind",
  [
    z.object({
      kind: z.literal("route"),
      name,
      method: name,
      pattern: name,
      action: name,
      response_status: wholeNumber(100, 599, "must be an integer from 100 to 599"),
    }),
    z.object({
      kind: z.literal("job"),
      name,
      queue: name,
      attempt: integerFrom(1),
    }),
    z.object({ kind: z.literal("command"), name, class: name }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union" ? "must be route, job or command" : "must be an object",
  },
);

/** A field that never causes a 422: `event-additions.ts` drops or cuts a value of the wrong type or size. */
const addition = (description: Record<string, unknown>) => z.unknown().optional().meta(description);

/** An optional field that is null or empty counts as not sent. */
export const errorEvent = z.object(
  {
    environment: requiredName,
    exception_class: requiredName,
    message: repaired(),
    stack_trace: repaired(MAX_TRACE_LENGTH),
    release: repaired().nullish(),
    previous_exceptions: z
      .array(previousException, mustBe("an array"))
      .max(MAX_PREVIOUS_EXCEPTIONS, `must have at most ${MAX_PREVIOUS_EXCEPTIONS} entries`)
      .nullish(),
    runtime: nameAndVersion,
    framework: nameAndVersion,
    ...mapFacts<typeof factKinds>((kind) => factKinds[kind]),
    context: context.nullish(),
    host: name,
    /** Never causes a 422: any value other than 64 lowercase hexadecimal characters is dropped. */
    user_hash: z.unknown().optional(),
    event_id: addition({
      type: "string",
      format: "uuid",
      description:
        "A UUID, with or without dashes. An event whose id was already received within 7 days is not counted again.",
    }),
    level: addition({ type: "string", enum: [...LEVELS], default: "error" }),
    fingerprint: addition({
      type: "array",
      items: { type: "string", maxLength: 1_000 },
      maxItems: 50,
      description:
        "Groups events by these texts instead of exception class and stack trace, for which `{{ default }}` stands. Events of Sentry SDKs with the same fingerprint belong to the same group.",
    }),
    tags: addition({
      type: "object",
      additionalProperties: { type: "string", maxLength: 200 },
      maxProperties: 50,
      description: "Kept events can be filtered by tags. Names have at most 200 characters.",
    }),
    breadcrumbs: addition({
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        properties: {
          timestamp: { type: ["string", "number"] },
          category: { type: "string" },
          level: { type: "string" },
          message: { type: "string" },
          type: { type: "string" },
          data: { type: "object" },
        },
      },
      description: "What happened before, the newest last. If there are more than 100, the newest are kept.",
    }),
    request: addition({
      type: "object",
      properties: {
        method: { type: "string" },
        path: { type: "string" },
        headers: { type: "object", additionalProperties: { type: "string" } },
      },
      description:
        "The path is kept without its query, and of the headers only Content-Type, User-Agent, Accept-Language and Referer.",
    }),
    contexts: addition({ type: "object", description: "Objects by name, such as `os` or `browser`." }),
    extra: addition({ type: "object" }),
    frames: addition({
      type: "array",
      items: {
        type: "object",
        properties: {
          function: { type: "string" },
          filename: { type: "string" },
          module: { type: "string" },
          line: { type: "integer" },
          column: { type: "integer" },
          in_app: { type: "boolean" },
          context_line: { type: "string" },
          pre_context: { type: "array", items: { type: "string" } },
          post_context: { type: "array", items: { type: "string" } },
        },
      },
      description: "The frames of `stack_trace` in parts, the newest first. They do not affect grouping.",
    }),
    debug_meta: addition({
      type: "object",
      properties: {
        images: {
          type: "array",
          maxItems: 200,
          items: {
            type: "object",
            properties: {
              type: { type: "string", const: "sourcemap" },
              code_file: { type: "string" },
              debug_id: { type: "string", format: "uuid" },
            },
          },
        },
      },
      description:
        "The debug ids that a bundler's plugin gave the minified files in `stack_trace`: their source maps are found by them.",
    }),
  },
  mustBe("an object"),
);

export type ErrorEvent = z.output<typeof errorEvent>;

/** Examples for the API reference. */
export const errorEventExamples = {
  ErrorEvent: {
    schema: errorEvent,
    example: {
      environment: "production",
      exception_class: "App\\Exceptions\\CouponExpired",
      message: "Coupon SPRING26 has expired",
      stack_trace: "#0 /var/www/shop/app/Cart/Coupons.php(58): App\\Cart\\Coupons->check()",
      release: "4.2.1",
      runtime: { name: "php", version: "8.4.2" },
      context: { kind: "route", method: "POST", pattern: "/cart/{cart}/coupon", response_status: 500 },
      host: "web-1",
    },
  },
};
