import { z } from "zod";
import { exceedsCodePoints, mustBe } from "./text.ts";

/** The contract of an error event (service.md 4.6): what is stored of it, after repair and cuts. */

export const LONGEST_NAME = 255;
export const LONGEST_TRACE = 131_072;
export const LONGEST_PREVIOUS_MESSAGE = 65_535;
export const MOST_PREVIOUS_EXCEPTIONS = 10;

/**
 * An event is never lost for its text: NUL and lone surrogates become U+FFFD, before limits and cuts. One check does
 * all of it, since a dozen of these run for each event.
 */
function repaired(max = Infinity, options: { blank?: boolean } = {}) {
  const mayBeBlank = options.blank ?? true;
  return z
    .string(mustBe("a string"))
    .check((payload) => {
      const value = payload.value.includes("\0") ? payload.value.replaceAll("\0", "\uFFFD") : payload.value;
      payload.value = value.toWellFormed();
      if (exceedsCodePoints(value, max)) refuse(payload, `must be at most ${max} characters`);
      if (!mayBeBlank && value.trim() === "") refuse(payload, "must not be blank");
    })
    .meta({ ...(max === Infinity ? {} : { maxLength: max }), ...(mayBeBlank ? {} : { minLength: 1 }) });
}

function refuse(payload: z.core.ParsePayload<string>, message: string) {
  payload.issues.push({ code: "custom", message, input: payload.value, path: [] });
}

const requiredName = repaired(LONGEST_NAME, { blank: false });
const name = repaired(LONGEST_NAME).nullish();
const wholeNumber = (min: number, max: number, words: string) =>
  z.int({ error: words }).min(min, words).max(max, words).nullish();
const bytes = wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be an integer of at least 0");
const nameAndVersion = z.object({ name, version: name }, mustBe("an object")).nullish();

const previousException = z.object(
  {
    exception_class: requiredName,
    message: repaired(LONGEST_PREVIOUS_MESSAGE),
    stack_trace: repaired(LONGEST_TRACE),
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
      attempt: wholeNumber(1, Number.MAX_SAFE_INTEGER, "must be an integer of at least 1"),
    }),
    z.object({ kind: z.literal("command"), name, class: name }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union" ? "must be route, job or command" : "must be an object",
  },
);

/** As it is sent, text repaired. An optional field that is null or empty counts as not sent. */
export const errorEvent = z.object(
  {
    environment: requiredName,
    exception_class: requiredName,
    message: repaired(),
    stack_trace: repaired(LONGEST_TRACE),
    release: repaired().nullish(),
    previous_exceptions: z
      .array(previousException, mustBe("an array"))
      .max(MOST_PREVIOUS_EXCEPTIONS, `must have at most ${MOST_PREVIOUS_EXCEPTIONS} entries`)
      .nullish(),
    exception_code: name,
    runtime: nameAndVersion,
    framework: nameAndVersion,
    memory_peak_bytes: bytes,
    memory_limit_bytes: bytes,
    context: context.nullish(),
    host: name,
    /** Dropped unless it is 64 lowercase hexadecimal characters, whatever else it is. */
    user_hash: z.unknown().optional(),
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
