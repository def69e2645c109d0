import { z } from "zod";
import { exceedsCodePoints, mustBe } from "./text.ts";

/** The contract of an error event (service.md 4.6): what is stored of it, after repair and cuts. */

export const LONGEST_NAME = 255;
export const LONGEST_TRACE = 131_072;
export const LONGEST_PREVIOUS_MESSAGE = 65_535;
export const MOST_PREVIOUS_EXCEPTIONS = 10;

/** An event is never lost for its text: NUL and lone surrogates become U+FFFD, before limits and cuts. */
function repaired(max = Infinity) {
  return z
    .string(mustBe("a string"))
    .overwrite((value) => (value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value).toWellFormed())
    .refine((value) => !exceedsCodePoints(value, max), `must be at most ${max} characters`);
}

const requiredName = repaired(LONGEST_NAME).refine((value) => value.trim() !== "", "must not be blank");

/** Not sent, null and empty are the same: null. */
const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => (value === undefined || value === "" ? null : value));

const name = orNull(repaired(LONGEST_NAME));
const wholeNumber = (min: number, max: number, words: string) =>
  orNull(z.int({ error: words }).min(min, words).max(max, words));
const bytes = wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be an integer of at least 0");

const NOTHING = { name: null, version: null };
const nameAndVersion = z
  .object({ name, version: name }, mustBe("an object"))
  .nullish()
  .transform((value) => value ?? NOTHING);

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

const USER_HASH = /^[0-9a-f]{64}$/;

export const errorEvent = z.object(
  {
    environment: requiredName,
    exception_class: requiredName,
    message: repaired(),
    stack_trace: repaired(LONGEST_TRACE),
    release: orNull(repaired()),
    previous_exceptions: z
      .array(previousException, mustBe("an array"))
      .max(MOST_PREVIOUS_EXCEPTIONS, `must have at most ${MOST_PREVIOUS_EXCEPTIONS} entries`)
      .nullish()
      .transform((value) => value ?? []),
    exception_code: name,
    runtime: nameAndVersion,
    framework: nameAndVersion,
    memory_peak_bytes: bytes,
    memory_limit_bytes: bytes,
    context: orNull(context),
    host: name,
    user_hash: z
      .unknown()
      .optional()
      .transform((value) => (typeof value === "string" && USER_HASH.test(value) ? value : null)),
  },
  mustBe("an object"),
);

export type ErrorEvent = z.output<typeof errorEvent>;
