import { z } from "zod";

/** Building blocks of query strings: a filter is given once, and an empty one is none. */

export const filter = z
  .string({ error: "must be given once" })
  .overwrite((value) => value.replaceAll("\0", "\uFFFD").toWellFormed())
  .optional()
  .transform((value) => value || undefined);

/** What `read` makes of the text; where it makes undefined of it, the words are the error. */
export function filterOf<T>(words: string, read: (value: string) => T | undefined) {
  return filter
    .transform((value, context) => {
      if (value === undefined) return undefined;
      const result = read(value);
      if (result === undefined) context.addIssue({ code: "custom", message: words });
      return result;
    })
    .meta({ description: words.replace(/^must be /, "") });
}

export const asId = (value: string) => (/^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : undefined);

export const idFilter = filterOf("must be a positive integer", asId).meta({
  type: "integer",
  minimum: 1,
});
