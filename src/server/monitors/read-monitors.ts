import { sql, type RawBuilder } from "kysely";
import type { Page } from "../../shared/answers.ts";
import type { Monitor } from "../../shared/monitors.ts";
import { notFound } from "../answers/errors.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../answers/page.ts";
import type { Db } from "../db/connect.ts";
import { readServerSecret } from "../reports/status/server-secret.ts";
import { pingUrl } from "./check-ins/ping-token.ts";

/** Who reads, and where Signalbox is reached. `mayUpdate`: ping URLs are shown. */
export type MonitorReader = { publicUrl: string; mayUpdate: boolean };

/** The id is not shown: slugs are the names of monitors. */
export type MonitorRow = Omit<Monitor, "ping_url"> & { id: number; ping_generation: number };

/** In the order of their creation. */
export async function listMonitors(
  db: Db,
  reader: MonitorReader,
  projectId: number,
  query: PageQuery,
): Promise<Page<Monitor>> {
  const rows = await readRows(
    db,
    sql`m.project_id = ${projectId} and m.id > ${afterId(query)}`,
    query.limit + 1,
  );
  const { data, meta } = pageOf(rows, query, ({ id }) => idCursor(id));
  return { data: await monitorsOf(db, reader, data), meta };
}

/** 404 if the project has no such monitor. */
export async function readMonitor(
  db: Db,
  reader: MonitorReader,
  projectId: number,
  slug: string,
): Promise<Monitor> {
  const [monitor] = await monitorsOf(db, reader, [await readMonitorRow(db, projectId, slug)]);
  return monitor as Monitor;
}

/** Like `readMonitor`, with the columns that are not shown. */
export async function readMonitorRow(db: Db, projectId: number, slug: string): Promise<MonitorRow> {
  const [row] = await readRows(db, sql`m.project_id = ${projectId} and m.slug = ${slug}`, 1);
  if (!row) throw noSuchMonitor();
  return row;
}

async function readRows(db: Db, which: RawBuilder<unknown>, limit: number): Promise<MonitorRow[]> {
  const { rows } = await sql<MonitorRow>`
    select m.id, m.slug, m.name, m.schedule, m.timezone, m.margin_minutes, m.max_runtime_minutes, m.failure_threshold,
      m.recovery_threshold, muted.until as muted_until, m.ping_generation, m.created_at, m.updated_at,
      coalesce((
        select json_agg(json_build_object(
          'name', e.name,
          'status', case when muted.until is null then e.status else 'muted' end,
          'last_check_in_at', ${moment(sql`e.last_check_in_at`)},
          'next_due_at', ${moment(sql`e.next_due_at`)},
          'error_group_id', e.error_group_id) order by e.name)
        from monitor_environments e where e.monitor_id = m.id
      ), '[]') as environments
    from monitors m
    cross join lateral (select case when m.muted_until > clock_timestamp() then m.muted_until end as until) muted
    where ${which} order by m.id limit ${limit}`.execute(db);
  return rows;
}

/** JSON would have the connection's time zone. */
const moment = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

async function monitorsOf(
  db: Db,
  { publicUrl, mayUpdate }: MonitorReader,
  rows: MonitorRow[],
): Promise<Monitor[]> {
  const secret = mayUpdate && rows.length > 0 ? await readServerSecret(db) : undefined;
  return rows.map((row) => {
    const { id: _id, ping_generation: _generation, ...monitor } = row;
    return { ...monitor, ping_url: secret ? pingUrl(publicUrl, secret, row) : null };
  });
}

export const noSuchMonitor = () => notFound("There is no such monitor.");
