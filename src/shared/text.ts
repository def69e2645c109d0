import { z } from "zod";

/**
 * Building blocks of the contract: text whose limits count Unicode code points, ids, and what "optional" means.
 * A lone surrogate becomes U+FFFD; a NUL is refused (decisions.md 1).
 */

/** Number of Unicode code points, at most one more than `enough` is counted. */
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

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Text of several lines, at most `max` code points; may be empty. */
export function text(max: number) {
  return z
    .string("must be a string")
    .overwrite((value) => value.toWellFormed())
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .refine((value) => !exceedsCodePoints(value, max), `must be at most ${max} characters`);
}

/** Required text: neither empty nor blank. */
export function filledText(max: number) {
  return text(max).refine((value) => value.trim() !== "", "must not be blank");
}

/** A name: one line, neither empty nor blank, no control characters. */
export function line(max: number) {
  return filledText(max).refine(
    (value) => !CONTROL.test(value),
    "must be one line without control characters",
  );
}

/** An id in a body: a positive JSON integer. */
export const id = z.int("must be an integer").positive("must be a positive integer");

export const boolean = z.boolean("must be true or false");

/** `null` is the same as not sent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A moment in ISO 8601 with an offset. */
export const timestamp = z.iso.datetime({ offset: true, error: "must be an ISO 8601 timestamp" });
