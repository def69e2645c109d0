import { sql, type RawBuilder } from "kysely";
import type { SearchHit, SearchKind } from "../../shared/search.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";

/** A hit with the text for its excerpt. */
type FullHit = Omit<SearchHit, "excerpt"> & { text: string };

/** Reads the chosen candidates in their order. Those that have been deleted in the meantime are left out. */
export async function readHits(db: Db, chosen: Candidate[]): Promise<FullHit[]> {
  if (chosen.length === 0) return [];
  const kinds = [...new Set(chosen.map(({ kind }) => kind))];
  const { rows } = await sql<FullHit>`
    with hit as (
      select * from unnest(${chosen.map(({ kind }) => kind)}::text[], ${chosen.map(({ id }) => id)}::bigint[],
        ${chosen.map(({ at }) => at)}::timestamptz[]) with ordinality as hit (kind, id, at, position)
    )
    select kind, id, key, title, project_id, issue_id, epic_id, error_group_id, report_id, lane_kind, state, view, status, at, text
    from (${sql.join(
      kinds.map((kind) => QUERIES[kind]),
      sql` union all `,
    )}) hits order by position`.execute(db);
  return rows;
}

/** Excerpts are taken from the first characters of a text. */
const TEXT_LENGTH = sql.lit(10_000);

type Columns = {
  title: RawBuilder<unknown>;
  project_id: RawBuilder<unknown>;
  text: RawBuilder<unknown>;
} & Partial<
  Record<
    | "key"
    | "issue_id"
    | "epic_id"
    | "error_group_id"
    | "report_id"
    | "lane_kind"
    | "state"
    | "view"
    | "status",
    RawBuilder<unknown>
  >
>;

function selectHits(kind: SearchKind, columns: Columns, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const orNull = (value: RawBuilder<unknown> | undefined, type: RawBuilder<unknown>) =>
    value ?? sql`null::${type}`;
  const text = sql`text`;
  const id = sql`bigint`;
  return sql`
    select hit.position, hit.kind, hit.id, hit.at, ${orNull(columns.key, text)} as key, ${columns.title} as title,
      ${columns.project_id} as project_id, ${orNull(columns.issue_id, id)} as issue_id,
      ${orNull(columns.epic_id, id)} as epic_id, ${orNull(columns.error_group_id, id)} as error_group_id,
      ${orNull(columns.report_id, id)} as report_id, ${orNull(columns.lane_kind, text)} as lane_kind,
      ${orNull(columns.state, text)} as state, ${orNull(columns.view, text)} as view,
      ${orNull(columns.status, sql`smallint`)} as status, left(coalesce(${columns.text}, ''), ${TEXT_LENGTH}) as text
    from hit ${from} where hit.kind = ${sql.lit(kind)}`;
}

/** The view that lists the report `r`; null if there is no report. */
const viewOf = sql`case when r.promoted_at is not null then 'promoted' when r.dismissed_at is not null then 'dismissed'
  when r.id is not null then 'active' end`;

const QUERIES: Record<SearchKind, RawBuilder<unknown>> = {
  issue: selectHits(
    "issue",
    {
      key: sql`p.key || '-' || i.number`,
      title: sql`i.title`,
      project_id: sql`i.project_id`,
      lane_kind: sql`l.kind`,
      text: sql`i.description`,
    },
    sql`join issues i on i.id = hit.id join projects p on p.id = i.project_id join lanes l on l.id = i.lane_id`,
  ),
  epic: selectHits(
    "epic",
    { title: sql`e.title`, project_id: sql`e.project_id`, state: sql`e.state`, text: sql`e.description` },
    sql`join epics e on e.id = hit.id`,
  ),
  report: selectHits(
    "report",
    {
      title: sql`r.title`,
      project_id: sql`r.project_id`,
      view: viewOf,
      text: sql`r.description`,
    },
    sql`join reports r on r.id = hit.id`,
  ),
  error_group: selectHits(
    "error_group",
    {
      title: sql`g.exception_class`,
      project_id: sql`g.project_id`,
      status: sql`g.status`,
      text: sql`g.latest_message`,
    },
    sql`join error_groups g on g.id = hit.id`,
  ),
  project: selectHits(
    "project",
    { key: sql`p.key`, title: sql`p.name`, project_id: sql`p.id`, text: sql`p.description` },
    sql`join projects p on p.id = hit.id`,
  ),
  comment: selectHits(
    "comment",
    {
      key: sql`p.key || '-' || i.number`,
      title: sql`coalesce(i.title, e.title, g.exception_class, r.title)`,
      project_id: sql`c.project_id`,
      issue_id: sql`c.issue_id`,
      epic_id: sql`c.epic_id`,
      error_group_id: sql`c.error_group_id`,
      report_id: sql`c.report_id`,
      lane_kind: sql`l.kind`,
      state: sql`e.state`,
      status: sql`g.status`,
      view: viewOf,
      text: sql`c.content`,
    },
    sql`join comments c on c.id = hit.id join projects p on p.id = c.project_id
      left join issues i on i.id = c.issue_id left join lanes l on l.id = i.lane_id
      left join epics e on e.id = c.epic_id left join error_groups g on g.id = c.error_group_id
      left join reports r on r.id = c.report_id`,
  ),
};
