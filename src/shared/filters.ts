import { z } from "zod";

/** A parameter of a query string. It may be given only once; an empty one counts as not given. */
export const filter = z
  .string({ error: "must be given only once" })
  .overwrite((value) => value.replaceAll("\0", "\uFFFD").toWellFormed())
  .optional()
  .transform((value) => value || undefined);

/** A filter parsed by `read`. If `read` returns undefined, `message` is the error. */
export function filterOf<T>(message: string, read: (value: string) => T | undefined) {
  return filter
    .transform((value, context) => {
      if (value === undefined) return undefined;
      const result = read(value);
      if (result === undefined) context.addIssue({ code: "custom", message });
      return result;
    })
    .meta({ description: message.replace(/^must be /, "") });
}

export const booleanFilter = filterOf("must be true or false", (value) =>
  value === "true" ? true : value === "false" ? false : undefined,
);

export const asId = (value: string) => (/^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : undefined);

export const idFilter = filterOf("must be a positive integer", asId).meta({
  type: "integer",
  minimum: 1,
});

/** A filter names at most this many values at once. */
const MAX_VALUES = 200;

/** A filter with one or more values, separated by commas. `read` returns undefined for an invalid one; then `message` is the error. */
export const valuesFilterOf = <T>(message: string, read: (value: string) => T | undefined) =>
  filterOf(`${message}, or up to ${MAX_VALUES} of them separated by commas`, (text) => {
    const values = text.split(",").map(read);
    return values.length <= MAX_VALUES && values.every((value) => value !== undefined) ? values : undefined;
  });

export const idsOrNoneFilter = valuesFilterOf("must be an id or none", (value) =>
  value === "none" ? null : asId(value),
);

export const peopleFilter = valuesFilterOf("must be an id, me or none", (value) =>
  value === "me" ? ("me" as const) : value === "none" ? null : asId(value),
);

/** Only the things with these ids, such as those that a live update named. */
export const idsFilter = filterOf(`must be at most ${MAX_VALUES} ids separated by commas`, (value) => {
  const ids = value.split(",").flatMap((one) => asId(one) ?? []);
  return ids.length === value.split(",").length && ids.length <= MAX_VALUES ? ids : undefined;
});
