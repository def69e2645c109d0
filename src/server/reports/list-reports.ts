import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { asId } from "../../shared/filters.ts";
import type { Report, reportListQuery } from "../../shared/reports.ts";
import { wordsOf } from "../../shared/search-words.ts";
import type { Db } from "../db/connect.ts";
import { clustersOfWanted, hasOthers, voicesOfClusters } from "../record/voices.ts";
import { readCursor, writeCursor, type Order } from "./list-cursor.ts";
import { QUEUE_ORDER, readReports, selectReports } from "./read-report.ts";

const VIEW_FILTERS = {
  active: sql`r.promoted_at is null and r.dismissed_at is null`,
  promoted: sql`r.promoted_at is not null`,
  dismissed: sql`r.dismissed_at is not null`,
};

type Query = z.output<typeof reportListQuery>;

/** All reports of the project in queue order. */
export const readQueue = (db: Db, projectId: number): Promise<Report[]> =>
  selectReports(db, projectId, sql``);

/** The project's reports that match the query, in queue order unless it sorts them otherwise. `next` is the cursor of the next page. */
export async function listReports(
  db: Db,
  projectId: number,
  userId: number,
  query: Query,
): Promise<{ reports: Report[]; next: string | undefined }> {
  const { sort = "rank", limit, cursor } = query;
  const order = { sort, descending: (query.direction ?? (sort === "rank" ? "asc" : "desc")) === "desc" };
  const conditions = filtersOf(query, userId).map((condition) => sql`and ${condition}`);
  const filter = sql.join(conditions, sql` `);
  const page = {
    order: orderBy(order),
    after: cursor === undefined ? sql`true` : afterCursor(order, cursor),
    limit: limit === undefined ? undefined : limit + 1,
  };
  const rows =
    sort === "voices"
      ? await selectByVoices(db, projectId, filter, page)
      : await selectReports(db, projectId, filter, page);
  const reports = rows.slice(0, limit);
  const last = reports.at(-1);
  return { reports, next: last && rows.length > reports.length ? writeCursor(order, last) : undefined };
}

type Page = { order: RawBuilder<unknown>; after: RawBuilder<unknown>; limit: number | undefined };

async function selectByVoices(
  db: Db,
  projectId: number,
  filter: RawBuilder<unknown>,
  { order, after, limit }: Page,
): Promise<Report[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive wanted as materialized (
      select r.id from reports r where r.project_id = ${projectId} ${filter} and ${hasOthers}
    ), ${clustersOfWanted}, ${voicesOfClusters}
    select r.id from reports r
    left join clusters c on c.report_id = r.id left join voices v on v.cluster = c.cluster
    where r.project_id = ${projectId} ${filter} and ${after} order by ${order} ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(
    db,
  );
  return readReports(
    db,
    projectId,
    rows.map(({ id }) => id),
  );
}

function filtersOf({ view, ids, query, source, kind, author }: Query, userId: number): RawBuilder<unknown>[] {
  return [
    ...(view === undefined ? [] : [VIEW_FILTERS[view]]),
    ...(ids === undefined ? [] : [sql`r.id = any(${ids}::bigint[])`]),
    ...(query === undefined ? [] : [hasWords(query)]),
    ...(source === undefined ? [] : [sql`r.source = ${source}`]),
    ...(kind === undefined ? [] : [sql`r.kind = ${kind}`]),
    ...(author === undefined ? [] : [isBy(author, userId)]),
  ];
}

function hasWords(query: string): RawBuilder<unknown> {
  const words = wordsOf(query).map((word) => `'${word.toLowerCase()}':*`);
  return words.length === 0 ? sql`false` : sql`r.words @@ to_tsquery('simple', ${words.join(" & ")})`;
}

function isBy(author: string, userId: number): RawBuilder<unknown> {
  const id = author === "me" ? userId : asId(author);
  if (id !== undefined) return sql`r.created_by = ${id}`;
  const pattern = `%${author.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(
    r.author_name ilike ${pattern} or r.author_email ilike ${pattern} or r.created_by in (
      select u.id from users u where u.first_name || ' ' || u.last_name ilike ${pattern} or u.username ilike ${pattern}))`;
}

const COLUMNS = { voices: sql`coalesce(v.count, 1)`, created_at: sql`r.created_at` };

function orderBy({ sort, descending }: Order): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`;
  if (sort === "rank") return sql`r.rank ${direction}, r.id ${direction}`;
  return sql`${COLUMNS[sort]} ${direction}, ${QUEUE_ORDER}`;
}

function afterCursor(order: Order, cursor: string): RawBuilder<unknown> {
  const { value, rank, id } = readCursor(order, cursor);
  const than = order.descending ? sql`<` : sql`>`;
  if (order.sort === "rank") return sql`(r.rank, r.id) ${than} (${rank}, ${id}::bigint)`;
  const column = COLUMNS[order.sort];
  return sql`(${column} ${than} ${value} or (${column} = ${value} and (r.rank, r.id) > (${rank}, ${id}::bigint)))`;
}
