import { sql, type SelectQueryBuilder, type StringReference } from "kysely";
import { z } from "zod";
import type { Page } from "../../shared/answers.ts";
import { invalid } from "./errors.ts";

/** The most rows of a page. */
export const MAX_PAGE = 200;

const ONCE = { error: "must be given only once" };

/** `limit`, from 1 to `most` and 50 by default, and `cursor`. */
export function pageQueryUpTo(most: number) {
  const message = `must be a whole number from 1 to ${most}`;
  return z.object({
    limit: z
      .string(ONCE)
      .regex(/^[0-9]{1,3}$/, message)
      .transform(Number)
      .refine((value) => value >= 1 && value <= most, message)
      .default(50)
      .meta({ type: "integer", minimum: 1, maximum: most, default: 50, description: "Rows per page." }),
    cursor: z.string(ONCE).optional().meta({ description: "`next_cursor` of the previous page." }),
  });
}

export const pageQuery = pageQueryUpTo(MAX_PAGE);

/** Lists that are also available as CSV: all rows that match the filters, whatever the page. */
export const listFormat = z.object({
  format: z.enum(["json", "csv"], { error: "must be json or csv" }).default("json").meta({
    description: "`csv` returns all rows that match the filters, and ignores `limit` and `cursor`.",
  }),
});

export type PageQuery = z.output<typeof pageQuery>;

/**
 * Reads one page of `rows` in the order of the id column `by`. The rows carry that id as `key`, which is the column's
 * own name unless given.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: PageQuery,
  by: StringReference<DB, TB>,
  { newestFirst = false, key = nameOf(by) as keyof Row & string } = {},
): Promise<Page<Row>> {
  const id = sql.ref<number>(by);
  let pageRows = rows.orderBy(id, newestFirst ? "desc" : "asc").limit(query.limit + 1);
  if (query.cursor !== undefined)
    pageRows = pageRows.where(sql<boolean>`${id} ${sql.raw(newestFirst ? "<" : ">")} ${afterId(query)}`);
  return pageOf(await pageRows.execute(), query, (row) => idCursor(row[key] as number));
}

const nameOf = (column: string) => column.slice(column.lastIndexOf(".") + 1);

/** For SQL that `readPage` cannot build: the page of rows that were read with `limit + 1`. */
export function pageOf<Row>(rows: Row[], query: PageQuery, cursorAfter: (last: Row) => string): Page<Row> {
  const data = rows.slice(0, query.limit);
  const last = data.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return { data, meta: { next_cursor: hasMore ? cursorAfter(last) : null } };
}

/** The cursor of a page that ends with this id. Clients treat it as opaque. */
export function idCursor(id: number): string {
  return Buffer.from(String(id)).toString("base64url");
}

/** The id in the cursor: the page begins after it. 0 for the first page. */
export function afterId(query: PageQuery): number {
  if (query.cursor === undefined) return 0;
  const id = Number(Buffer.from(query.cursor, "base64url").toString("latin1"));
  if (!Number.isSafeInteger(id) || id < 1) throw invalid({ cursor: ["is not a cursor of this list"] });
  return id;
}
