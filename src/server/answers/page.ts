import { z } from "zod";
import { invalid } from "./errors.ts";

/** `limit`, at most this many and 50 unless given, and `cursor`. */
export function pageQueryUpTo(most: number) {
  const words = `must be a whole number from 1 to ${most}`;
  return z.object({
    limit: z
      .string()
      .regex(/^[0-9]{1,3}$/, words)
      .transform(Number)
      .refine((value) => value >= 1 && value <= most, words)
      .default(50)
      .meta({ type: "integer", minimum: 1, maximum: most, default: 50, description: "Rows on a page." }),
    cursor: z.string().optional().meta({ description: "The page before told it as `next_cursor`." }),
  });
}

/** Of the platform's lists (platform.md). */
export const pageQuery = pageQueryUpTo(200);

export type PageQuery = z.output<typeof pageQuery>;

export type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

/** The id after which the page begins; 0 for the first page. A cursor is opaque to clients. */
export function afterId(query: PageQuery): number {
  if (query.cursor === undefined) return 0;
  const id = Number(Buffer.from(query.cursor, "base64url").toString("latin1"));
  if (!Number.isSafeInteger(id) || id < 1) throw invalid({ cursor: ["is not a cursor of this list"] });
  return id;
}

/** A page of rows that were read with `limit + 1`, ordered by the id `idOf` gives. */
export function page<Row>(rows: Row[], query: PageQuery, idOf: (row: Row) => number): Page<Row> {
  const data = rows.slice(0, query.limit);
  const last = data.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  return { data, meta: { next_cursor: more ? Buffer.from(String(idOf(last))).toString("base64url") : null } };
}
