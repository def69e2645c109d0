import { sql, type RawBuilder } from "kysely";
import type { SearchKind } from "../../shared/search.ts";
import type { Db } from "../db/connect.ts";
import type { Candidate } from "./candidate.ts";
import { groupCandidates } from "./error-groups.ts";
import { issueCandidates } from "./issues.ts";
import type { ReadableProjects } from "./readable-projects.ts";
import type { Terms } from "./terms.ts";

/** How many of a way of finding are ranked: the newest, so that a word that everything has costs no more. */
const MOST = 200;

/** What was found in each way, in no order; a thing may have been found in several. */
export async function findCandidates(
  db: Db,
  terms: Terms,
  readable: ReadableProjects,
  kinds: SearchKind[],
): Promise<Candidate[]> {
  const wants = (kind: SearchKind) => kinds.includes(kind);
  const ways = [
    ...(wants("issue") ? issueCandidates(terms, readable.issue, MOST) : []),
    ...(wants("epic") ? texts("epic", terms, readable.epic) : []),
    ...(wants("report") ? texts("report", terms, readable.report) : []),
    ...(wants("comment") ? comments(terms, readable) : []),
    ...(wants("error_group") ? groupCandidates(terms, readable.error_group, MOST) : []),
    ...(wants("project") ? projects(terms, readable.project) : []),
  ];
  if (ways.length === 0) return [];
  const { rows } = await sql<Candidate>`${sql.join(
    ways.map((way) => sql`(${way})`),
    sql` union all `,
  )}`.execute(db);
  return rows;
}

function texts(kind: "epic" | "report", { tsquery }: Terms, ids: number[]): RawBuilder<unknown>[] {
  if (ids.length === 0 || tsquery === "") return [];
  return [
    sql`
      select ${sql.lit(kind)} as kind, t.id, null as key, t.title, t.created_at as at from ${sql.table(`${kind}s`)} t
      where t.project_id = any(${ids}::bigint[]) and t.words @@ to_tsquery('simple', ${tsquery})
      order by t.id desc limit ${MOST}`,
  ];
}

/** On issues and on epics: which of them a comment is on decides who may read it. */
function comments({ tsquery }: Terms, readable: ReadableProjects): RawBuilder<unknown>[] {
  if (tsquery === "") return [];
  return (["issue", "epic"] as const)
    .filter((kind) => readable[kind].length > 0)
    .map(
      (kind) => sql`
        select 'comment' as kind, c.id, null as key, null as title, c.created_at as at from comments c
        where c.project_id = any(${readable[kind]}::bigint[]) and ${sql.ref(`c.${kind}_id`)} is not null
          and c.words @@ to_tsquery('simple', ${tsquery})
        order by c.id desc limit ${MOST}`,
    );
}

/** By the beginning of the key, or by words anywhere in name and description. There are few enough to read them. */
function projects({ words, patterns }: Terms, ids: number[]): RawBuilder<unknown>[] {
  const [first] = words;
  if (ids.length === 0 || first === undefined) return [];
  return [
    sql`
      select 'project' as kind, p.id, p.key, p.name as title, p.created_at as at from projects p
      where p.id = any(${ids}::bigint[])
        and (${words.length === 1} and starts_with(p.key, ${first.toUpperCase()})
          or p.name || ' ' || coalesce(p.description, '') ilike all(${patterns}::text[]))
      order by p.id desc limit ${MOST}`,
  ];
}
