import { z } from "zod";
import { ada } from "./example-values.ts";

/**
 * Building blocks of answers. They describe what the server sends and are checked in tests: objects are strict, so that
 * nothing is told that is not written down.
 */

/** ISO 8601 in UTC with microseconds (service.md 1). */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .meta({ format: "date-time" });

/** The same as error groups write it. */
export const momentWithOffset = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/)
  .meta({ format: "date-time" });

/** A calendar day, `2026-11-20`. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: "date" });

export const count = z.int().min(0);

/** Addresses of a profile picture; null without one. */
export const pictureAnswer = z.strictObject({ avif: z.string(), webp: z.string() }).nullable();

/** A page of a list; `next_cursor` is null on the last one. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    data: z.array(row),
    meta: z.strictObject({ next_cursor: z.string().nullable() }),
  });
}

/** Somebody, as lists of people have them. */
export const personAnswer = z.strictObject({
  user_id: z.int().positive(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: pictureAnswer,
});

/** Examples for the API reference. */
export const personExamples = {
  Person: { schema: personAnswer, example: ada },
};
