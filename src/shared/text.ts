import { z } from "zod";

/** Zod option with the error for a missing field (`is required`) and for a wrong type (`must be …`). */
export function mustBe(what: string) {
  return {
    error: ({ input }: { input?: unknown }) => (input === undefined ? "is required" : `must be ${what}`),
  };
}

/** Whether the text has more than `max` Unicode code points. Scans only as far as necessary. */
export function exceedsCodePoints(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let points = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) i++;
    }
    if (++points > max) return true;
  }
  return false;
}

// In a file of its own, because the web app must not load zod.
export { cutCodePoints } from "./cut-code-points.ts";

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Text of any number of lines, at most `max` code points. It may be empty. Lone surrogates become U+FFFD, NUL is rejected. */
export function text(max: number) {
  return z
    .string(mustBe("a string"))
    .overwrite((value) => value.toWellFormed())
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .refine((value) => !exceedsCodePoints(value, max), `must be at most ${max} characters`)
    .meta({ maxLength: max });
}

/** Text that is neither empty nor blank. */
export function filledText(max: number) {
  return text(max)
    .refine((value) => value.trim() !== "", "must not be blank")
    .meta({ minLength: 1, maxLength: max });
}

/** Text of a single line that is neither empty nor blank and has no control characters. */
export function line(max: number) {
  return filledText(max).refine(
    (value) => !CONTROL.test(value),
    "must be a single line without control characters",
  );
}

/** A line that must be unique, such as the name of a label. Normalized, because an é can be composed or decomposed. */
export function uniqueLine(max: number) {
  return line(max).overwrite((value) => value.normalize("NFC"));
}

/** A web address as mail programs recognize it: with a scheme, with `www.`, or a bare name such as `example.com`. */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}-]{2}\.\p{L}{2}/iu;

export const hasWebAddress = (value: string) => WEB_ADDRESS.test(value);

/**
 * A name that appears in emails to strangers, such as invitations. It must not contain a web address, so that nobody can send
 * advertisements this way.
 */
export function name(max: number) {
  return line(max).refine((value) => !hasWebAddress(value), "must not contain a web address");
}

/** An id in a body: a positive JSON integer. */
export const id = z.int(mustBe("an integer")).positive("must be a positive integer");

const MAX_IDS = 10_000;

/** Ids in a body. Every array of a body has a limit, because each invalid element is an error of its own. */
export const ids = z
  .array(id, mustBe("an array of ids"))
  .max(MAX_IDS, `must have at most ${MAX_IDS.toLocaleString("en")} ids`);

/** Ids in a body, each at most once. */
export const distinctIds = ids.refine(
  (ids) => new Set(ids).size === ids.length,
  "must have each id at most once",
);

export const boolean = z.boolean(mustBe("true or false"));

/** A field that may be omitted. `null` means the same as omitting it. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A field of a PATCH that can be empty: omitting it leaves it unchanged, `null` clears it. */
export function clearable<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** ISO 8601 with an offset, in the years 1 to 9999. PostgreSQL rejects offsets of 16 hours and more. */
export const timestamp = z.iso
  .datetime({ offset: true, abort: true, ...mustBe("an ISO 8601 timestamp") })
  .refine(isRepresentable, { error: "must be an ISO 8601 timestamp", abort: true });

function isRepresentable(value: string): boolean {
  const moment = Date.parse(value);
  return moment >= YEAR_1 && moment < YEAR_10000 && !/[+-](?:1[6-9]|2\d):\d\d$/.test(value);
}

const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("9999-12-31T23:59:59.999Z");

export const future = timestamp.refine((value) => Date.parse(value) > Date.now(), "must be in the future");

/** A calendar day, `2026-11-20`. */
export const date = z.iso
  .date({ abort: true, ...mustBe("a date such as 2026-11-20") })
  .refine((value) => !value.startsWith("0000"), "must be a date such as 2026-11-20");

/** A UUID, with or without dashes; without them in responses. */
export const eventId = z
  .string(mustBe("a UUID"))
  .regex(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i, "must be a UUID")
  .transform((value) => value.replaceAll("-", "").toLowerCase());

export const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** An optional field of a form. Forms cannot send null: a blank field counts as not sent. */
export const unlessBlank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), optional(schema));
