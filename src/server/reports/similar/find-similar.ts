import { sql, type RawBuilder } from "kysely";
import {
  MAX_SIMILAR,
  MAX_SIMILAR_TEXT,
  type SimilarItem,
  type SimilarItems,
  type SimilarKind,
  type SimilarQuery,
} from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";
import { indexNewMessages } from "../../errors/groups/message-index.ts";
import { writeChangedTerms } from "./write-terms.ts";

/** Items below this score have hardly more in common than any two texts of one language. */
const MIN_SCORE = 0.3;

/** Rows of each kind that are read by their rarest terms, so that common terms are not more expensive. */
const MAX_ROWS = 3_000;
const MAX_TERMS = 40;

/** Items of each kind whose terms are compared: those that share the most of the rarest terms. */
const MAX_COMPARED = 40;

/**
 * The items of these kinds in the project that are most similar to the texts. The score is the cosine of the
 * titles, by their trigrams and neighboring words, or that of all words if it is higher. A rare term weighs more than a common one.
 */
export async function findSimilar(
  db: Db,
  projectId: number,
  kinds: SimilarKind[],
  { title = "", description = "", except_report_id }: SimilarQuery,
): Promise<SimilarItems> {
  const content = description.slice(0, MAX_SIMILAR_TEXT).toWellFormed();
  if (title.trim() === "" && content.trim() === "") return { data: [] };
  for (const kind of kinds)
    if (kind === "error_group") await indexNewMessages(db, projectId);
    else await writeChangedTerms(db, kind);
  const [firstLine = ""] = content.trim().split("\n", 1);
  const { rows: data } = await sql<SimilarItem>`
    with wanted as materialized (
      select unnest(similar_terms(${projectId}, ${title.trim() || firstLine}, ${content})) as term
    )
    select kind, id, key, title, state, round(score::numeric, 3)::float8 as score from (${sql.join(
      kinds.map((kind) => sql`(${similarOf(kind, except_report_id)})`),
      sql` union all `,
    )}) item order by item.score desc, kind desc, id desc limit ${MAX_SIMILAR}`.execute(db);
  return { data };
}

type Source = {
  terms: string;
  id: string;
  /** The fields of the answer, joined to the `best` items. */
  item: RawBuilder<unknown>;
};

const SOURCES: Record<SimilarKind, Source> = {
  report: {
    terms: "report_terms",
    id: "report_id",
    item: sql`
      select 'report' as kind, r.id, null as key, r.title, case when r.promoted_at is not null then 'promoted'
        when r.dismissed_at is not null then 'dismissed' else 'active' end as state, score
      from best join reports r on r.id = best.id`,
  },
  issue: {
    terms: "issue_terms",
    id: "issue_id",
    item: sql`
      select 'issue' as kind, i.id, p.key || '-' || i.number as key, i.title, l.kind as state, score
      from best join issues i on i.id = best.id join projects p on p.id = i.project_id join lanes l on l.id = i.lane_id`,
  },
  error_group: {
    terms: "error_group_terms",
    id: "group_id",
    item: sql`
      select 'error_group' as kind, g.id, null as key,
        left(concat_ws(': ', g.exception_class, nullif(g.latest_message, '')), 255) as title,
        (array['open', 'resolved', 'ignored'])[g.status + 1] as state, score
      from best join error_groups g on g.id = best.id`,
  },
};

/** The terms that the statistics of a table do not contain are rarer than all that they do contain. */
function similarOf(kind: SimilarKind, exceptReportId: number | undefined): RawBuilder<unknown> {
  const { terms, id, item } = SOURCES[kind];
  const table = sql.table(terms);
  const itemId = sql.ref(`t.${id}`);
  const others =
    kind === "report" && exceptReportId !== undefined ? sql`and ${itemId} <> ${exceptReportId}` : sql``;
  return sql`
    with common as materialized (
      select e.term, e.part from pg_stats s
      cross join lateral unnest(s.most_common_elems::text::integer[], s.most_common_elem_freqs) as e (term, part)
      where s.schemaname = current_schema() and s.tablename = ${terms} and s.attname = 'terms' and e.term is not null
    ),
    rarest as (select min(part) / 2 as part from common),
    weighted as materialized (
      select w.term, ${WEIGHT} as weight, coalesce(c.part, rarest.part, 0) as part
      from wanted w left join common c using (term) cross join rarest
    ),
    chosen as materialized (
      select term, weight from (
        select term, weight, row_number() over rarer as n, (select reltuples from pg_class where oid = ${terms}::regclass)
          * sum(part) over (rarer rows unbounded preceding) as row_count
        from weighted window rarer as (order by part, term)
      ) ranked where n = 1 or (n <= ${MAX_TERMS} and row_count <= ${MAX_ROWS})
    ),
    candidates as materialized (
      select hit.id from chosen cross join lateral (
        select ${itemId} as id from ${table} t where t.terms @> array[chosen.term] ${others} limit ${MAX_ROWS}
      ) hit group by hit.id order by sum(chosen.weight) desc limit ${MAX_COMPARED}
    ),
    scored as (
      select id, greatest(
        sum(shared) filter (where term > 0) / sqrt(sum(weight) filter (where term > 0) * (select sum(weight) from weighted where term > 0)),
        sum(shared) filter (where term < 0) / sqrt(sum(weight) filter (where term < 0) * (select sum(weight) from weighted where term < 0))
      ) as score
      from (
        select own.id, own.term, ${WEIGHT} as weight, w.weight as shared
        from (
          select candidates.id, unnest(t.terms) as term from candidates join ${table} t on ${itemId} = candidates.id
        ) own left join common c using (term) left join weighted w using (term) cross join rarest
      ) compared group by id
    ),
    best as (select * from scored where score >= ${MIN_SCORE} order by score desc, id desc limit ${MAX_SIMILAR})
    ${item}`;
}

/** The squared inverse frequency of a term, or 1 without statistics. */
const WEIGHT = sql`coalesce(ln(1 + 1 / coalesce(c.part, rarest.part)) ^ 2, 1)`;
