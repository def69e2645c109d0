import { z } from "zod";
import { ada } from "./example-values.ts";

/*
 * Parts of response schemas. Tests check every response against its schema. The objects are strict so that an
 * undocumented field fails the tests.
 */

/** ISO 8601 in UTC with microseconds. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .meta({ format: "date-time" });

/** The format of timestamps in error groups, with `+00:00` instead of `Z`. */
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

/** URLs of a profile picture, or null if the user has none. */
export const pictureAnswer = z.strictObject({ avif: z.string(), webp: z.string() }).nullable();

/** A page of a list. `next_cursor` is null on the last page. */
export type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    data: z.array(row),
    meta: z.strictObject({ next_cursor: z.string().nullable() }),
  });
}

/** The fields that every list of people contains. */
export const personAnswer = z.strictObject({
  user_id: z.int().positive(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: pictureAnswer,
});

export type Person = z.infer<typeof personAnswer>;

/** Examples for the API reference. */
export const personExamples = {
  Person: { schema: personAnswer, example: ada },
};
