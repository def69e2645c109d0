import { sql } from "kysely";
import { MAX_SUSPECTS, type Suspect } from "../../../shared/git.ts";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Db } from "../../db/connect.ts";
import { appFiles, pathSegments } from "../../errors/groups/frame-paths.ts";
import { missingGroup } from "../../record/merged-groups.ts";

/** The most commits that are compared with a trace, newest first. */
const MAX_COMPARED = 5_000;

/**
 * The newest commits that may have caused the error: pushed to the default branch after the release before the group's first one and
 * up to that one, with a changed file that is in the trace. `frames` are those of the newest event with their original code.
 */
export async function findSuspects(
  db: Db,
  { projectId, groupId }: { projectId: number; groupId: number },
  frames: readonly KeptFrame[],
): Promise<Suspect[]> {
  const { rows } = await sql<{ stack_trace: string }>`
    select d.stack_trace from error_groups g join error_group_details d on d.group_id = g.id
    where g.id = ${groupId} and g.project_id = ${projectId}`.execute(db);
  const [group] = rows;
  if (!group) throw await missingGroup(db, projectId, groupId);
  const originals = frames.flatMap(({ in_app, original }) =>
    original && in_app !== false ? [original.filename] : [],
  );
  const files = [...new Set([...appFiles(group.stack_trace), ...originals])];
  if (files.length === 0) return [];
  return selectSuspects(db, { projectId, groupId }, files.map(endOf));
}

/** The end of a path that has to match: the file's name and its folder, if it has one. */
const endOf = (file: string) => pathSegments(file).slice(-2).join("/");

/**
 * The commits of a range are known by the positions of the deployed commits in their repository; where one is not, by the time of the
 * push. A path without a folder, in the trace or in the repository, matches by the name alone.
 */
async function selectSuspects(
  db: Db,
  { projectId, groupId }: { projectId: number; groupId: number },
  ends: string[],
): Promise<Suspect[]> {
  const { rows } = await sql<Suspect>`
    with first_release as materialized (
      select g.first_seen_at as seen_at, r.*
      from error_groups g left join lateral (
        select o.id, o.position_at, o.sort_key, coalesce(o.first_seen_at, g.first_seen_at) as released_at
        from ordered_releases o
        where o.project_id = g.project_id and o.version_hash = sha256(convert_to(g.release, 'UTF8'))
      ) r on true
      where g.id = ${groupId}
    ),
    last_release as materialized (
      select o.id, o.first_seen_at as released_at from first_release f join ordered_releases o on o.project_id = ${projectId}
      where o.first_seen_at is not null and case when f.id is null then o.first_seen_at < f.seen_at
        else o.id <> f.id and case when o.sort_key is not null and f.sort_key is not null and o.sort_key <> f.sort_key
          then o.sort_key < f.sort_key else o.first_seen_at < f.released_at end end
      order by o.position_at desc, o.sort_key desc nulls last, o.id desc limit 1
    ),
    bounds as materialized (
      select (select released_at from last_release) as after_at,
        (select coalesce(released_at, seen_at) from first_release) as until_at
    ),
    after_commits as materialized (${deployedCommits(projectId, "last_release")}),
    until_commits as materialized (${deployedCommits(projectId, "first_release")}),
    candidates as materialized (
      select c.* from git_changes c cross join bounds b
      left join after_commits a on a.repository = c.repository and a.host = c.host
      left join until_commits u on u.repository = c.repository and u.host = c.host
      where c.project_id = ${projectId} and c.position is not null
        and case when a.position is not null then c.position > a.position
          else b.after_at is null or c.pushed_at > b.after_at end
        and case when u.position is not null then c.position <= u.position else c.pushed_at <= b.until_at end
      order by c.pushed_at desc, c.position desc limit ${MAX_COMPARED}
    )
    select c.ref as commit, c.title, c.author_name, c.url, matching.files, c.created_at, author.user_id
    from candidates c
    cross join lateral (
      select array_agg(f.file order by f.file) as files from unnest(c.files) f (file)
      where substring(f.file from '[^/]+/[^/]+$') = any(${ends}::text[])
        or substring(f.file from '[^/]*$') = any(${ends}::text[])
        or f.file !~ '/' and f.file = any(${ends.map((end) => end.replace(/^.*\//, ""))}::text[])
    ) matching
    left join lateral (
      select case when count(*) = 1 then min(u.id) end as user_id from users u
      where fold_case(u.email) = fold_case(c.author_email) and u.email_verified
        and u.id in (${usersWhere({ id: projectId })})
    ) author on true
    where matching.files is not null
    order by c.pushed_at desc, c.position desc limit ${sql.lit(MAX_SUSPECTS)}`.execute(db);
  return rows;
}

/** The newest commit of each repository that the deploys of a release name, with its position on the default branch. */
const deployedCommits = (projectId: number, release: "first_release" | "last_release") => sql`
  select c.repository, c.host, max(c.position) as position
  from ${sql.table(release)} r
  join releases own on own.id = r.id
  cross join lateral (
    select d.commit from release_deploys d where d.release_id = own.id and d.commit is not null
    union select own.commit where own.commit is not null
  ) deployed
  join git_changes c on c.project_id = ${projectId} and c.kind = 'commit' and c.position is not null
    and length(deployed.commit) >= 7
    and c.head_hash >= lower(deployed.commit) and c.head_hash < lower(deployed.commit) || 'g'
  group by c.repository, c.host`;
