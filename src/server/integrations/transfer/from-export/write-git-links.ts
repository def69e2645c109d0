import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";

const COLUMNS = { issues: "issue_id", error_groups: "group_id" } as const;

/** The commits and requests of the new objects in a batch. Those that the project has already stay as they are. */
export async function writeGitLinks(
  tx: Tx,
  projectId: number,
  kind: keyof typeof COLUMNS,
  lines: string,
): Promise<void> {
  const links = sql`
    jsonb_array_elements(${lines}::jsonb) l
    join source_ids o on o.kind = ${kind} and o.source_id = (l ->> 'id')::bigint and o.is_new
    cross join lateral jsonb_array_elements(l -> 'git_links') link
    cross join lateral jsonb_populate_record(null::git_changes, link) c`;
  await sql`
    insert into git_changes (project_id, kind, host, repository, ref, title, url, author_name, files, state, review, checks,
      release, head_hash, merge_hash, reviews, created_at)
    select ${projectId}, kind, host, repository, ref, title, url, author_name, coalesce(files, '{}'), state, review, checks,
      release, head_hash, merge_hash, coalesce(reviews, '{}'), created_at
    from (
      select distinct on (c.repository, c.kind, c.ref, c.host) c.* from ${links} where c.url ~* '^https?://'
    ) c order by id
    on conflict do nothing`.execute(tx);
  await sql`
    insert into git_links (change_id, ${sql.ref(COLUMNS[kind])}, closes)
    select g.id, o.id, (link ->> 'closes')::boolean
    from ${links}
    join git_changes g on g.project_id = ${projectId} and (g.repository, g.kind, g.ref, g.host) = (c.repository, c.kind, c.ref, c.host)
    on conflict do nothing`.execute(tx);
}
