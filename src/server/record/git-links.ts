import { sql, type RawBuilder } from "kysely";
import type { GitLink } from "../../shared/git.ts";

/** Selects the commits and requests that name an issue (`issue_id`) or an error group (`group_id`), oldest first. */
export function gitLinksField(
  column: "issue_id" | "group_id",
  id: RawBuilder<unknown>,
): RawBuilder<GitLink[]> {
  return sql<GitLink[]>`(
    select coalesce(json_agg(json_build_object('kind', c.kind, 'host', c.host, 'repository', c.repository, 'ref', c.ref,
        'title', c.title, 'url', c.url, 'author_name', c.author_name, 'state', c.state, 'review', c.review,
        'checks', c.checks, 'release', c.release,
        'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      order by c.created_at, c.id), '[]')
    from git_links l join git_changes c on c.id = l.change_id where l.${sql.ref(column)} = ${id}) as git_links`;
}
