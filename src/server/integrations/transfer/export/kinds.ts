/**
 * A kind of object in an export: the name of its file without `.jsonl`, and a statement that selects its lines as JSON, one for
 * each object. Lines have the columns of the object's table, and what belongs to the object as lists.
 */
type ExportedKind = { name: string; select: (projectId: number) => string };

/** In the order of the archive: an import finds what a line refers to before the line, except for objects of the same kind. */
export const EXPORTED_KINDS: readonly ExportedKind[] = [
  {
    name: "people",
    select: (id) => `
      select json_build_object('id', u.id, 'username', u.username, 'first_name', u.first_name, 'last_name', u.last_name)
      from users u where u.id in (${people(id)}) order by u.id`,
  },
  { name: "lanes", select: (id) => plain("lanes", id) },
  { name: "labels", select: (id) => plain("labels", id) },
  { name: "sprints", select: (id) => plain("sprints", id) },
  { name: "epics", select: (id) => plain("epics", id) },
  {
    name: "releases",
    select: (id) =>
      rows("releases", id, {
        leaveOut: ["version_hash", "sort_key"],
        lists: {
          deploys: list("release_deploys", "release_id", { leaveOut: ["id"], order: "l.id" }),
          counts: `(
            select to_jsonb(l) from (
              select coalesce(sum(events), 0) as events, coalesce(sum(new_groups), 0) as new_groups,
                coalesce(sum(regressed_groups), 0) as regressed_groups, coalesce(sum(resolved_groups), 0) as resolved_groups
              from release_counts where release_id = t.id) l)`,
          sessions: list("release_sessions", "release_id", { order: "l.hour, l.environment" }),
          user_counts: list("release_user_counts", "release_id", { leaveOut: ["id"], order: "l.id" }),
        },
      }),
  },
  {
    name: "issues",
    select: (id) =>
      rows("issues", id, {
        lists: {
          label_ids: ids("issue_labels", "issue_id", "label_id"),
          blocked_by_ids: ids("issue_blocks", "blocked_id", "blocker_id"),
          relates_to_ids: ids("issue_relations", "issue_id", "other_id"),
          activity: list("issue_activity", "issue_id", { leaveOut: ["id"], order: "l.id" }),
          git_links: gitLinks("issue_id"),
        },
      }),
  },
  {
    name: "error_groups",
    // Without the hashes of users, which never leave the server.
    select: (id) =>
      rows("error_groups", id, {
        leaveOut: ["snooze_users", "events_magnitude"],
        lists: {
          latest_event: `(
            select to_jsonb(l) - 'group_id' from error_group_details l where l.group_id = t.id)`,
          affected_users: "(select users from error_group_counts where group_id = t.id)",
          releases: list("error_group_releases", "group_id", {
            leaveOut: ["release_hash", "appearance"],
            order: "l.appearance",
          }),
          hosts: list("error_group_hosts", "group_id", { order: "l.name" }),
          changes_of_releases: list("release_groups", "group_id", { order: "l.at, l.release_id" }),
          activity: list("error_group_activity", "group_id", { leaveOut: ["id"], order: "l.id" }),
          git_links: gitLinks("group_id"),
        },
      }),
  },
  {
    name: "events",
    select: (id) => `
      select to_jsonb(e)
      from (select id from error_groups where project_id = ${id} order by id offset 0) g
      join error_events e on e.group_id = g.id`,
  },
  {
    name: "reports",
    select: (id) =>
      rows("reports", id, {
        leaveOut: ["feedback_key", "link_generation", "link_revoked_at"],
        lists: {
          dismissals: list("report_dismissals", "report_id", { leaveOut: ["id"], order: "l.id" }),
          activity: list("report_activity", "report_id", { leaveOut: ["id"], order: "l.id" }),
          other_voices: OTHER_VOICES,
        },
      }),
  },
  {
    name: "comments",
    select: (id) =>
      rows("comments", id, { lists: { liker_ids: ids("comment_likes", "comment_id", "user_id") } }),
  },
  {
    name: "attachments",
    select: (id) => `
      select to_jsonb(t) - '{project_id,storage_key,thumbnail}'::text[] || jsonb_build_object('file', 'files/' || t.id)
      from attachments t where ${attached(id)} order by t.id`,
  },
];

/**
 * Confirmed subscribers of the report who are neither an author nor a subscriber of an earlier report about the same thing. The
 * export has only their number, because they left their addresses for news of this report.
 */
const OTHER_VOICES = `(
  select count(*) from report_subscriptions s
  where s.report_id = t.id and s.confirmed_at is not null and not exists (
    select from reports r left join users u on u.id = r.created_by
    where r.project_id = t.project_id
      and (r.id in (t.id, t.duplicate_of_report_id) or r.duplicate_of_report_id in (t.id, t.duplicate_of_report_id)
        or coalesce(r.promoted_issue_id, r.duplicate_of_issue_id) = coalesce(t.promoted_issue_id, t.duplicate_of_issue_id))
      and (lower(r.author_email) = s.email or fold_case(u.email) = s.email or (r.id < t.id and exists (
        select from report_subscriptions o where o.report_id = r.id and o.confirmed_at is not null and o.email = s.email)))))`;

/** The condition for the attachments that belong to something: those of drafts are not exported. */
export const attached = (projectId: number) => `
  t.project_id = ${projectId} and num_nonnulls(t.report_id, t.issue_id, t.epic_id, t.error_group_id) > 0`;

type Shape = { leaveOut?: string[]; lists?: Record<string, string> };

const plain = (table: string, projectId: number) => rows(table, projectId, {});

/** With `offset 0`, PostgreSQL sorts only the ids and reads the rows one by one. */
function rows(table: string, projectId: number, { leaveOut = [], lists = {} }: Shape): string {
  const fields = Object.entries(lists).map(([name, expression]) => `'${name}', ${expression}`);
  return `
    select to_jsonb(t) - '{${["project_id", "words", "root_id", ...leaveOut].join()}}'::text[]
      ${fields.length === 0 ? "" : `|| jsonb_build_object(${fields.join(", ")})`}
    from (select id from ${table} where project_id = ${projectId} order by id offset 0) k
    join ${table} t on t.id = k.id`;
}

/** The rows of another table that belong to the object, without the columns that say to which. */
function list(
  table: string,
  column: string,
  { leaveOut = [], order }: { leaveOut?: string[]; order: string },
) {
  return `(
    select coalesce(jsonb_agg(to_jsonb(l) - '{${[column, "project_id", ...leaveOut].join()}}'::text[] order by ${order}), '[]')
    from ${table} l where l.${column} = t.id)`;
}

const ids = (table: string, column: string, other: string) => `(
  select coalesce(jsonb_agg(l.${other} order by l.${other}), '[]') from ${table} l where l.${column} = t.id)`;

const gitLinks = (column: string) => `(
  select coalesce(jsonb_agg(to_jsonb(c) - '{project_id,author_email}'::text[]
    || jsonb_build_object('closes', l.closes) order by c.id), '[]')
  from git_links l join git_changes c on c.id = l.change_id where l.${column} = t.id)`;

/** Everyone with access to the project, and everyone whom its objects name. */
const people = (id: number) => `
  select user_id from project_grants where project_id = ${id}
  union select unnest(array[assignee_id, created_by]) from issues where project_id = ${id}
  union select unnest(array[owner_id, created_by]) from epics where project_id = ${id}
  union select created_by from reports where project_id = ${id}
  union select user_id from comments where project_id = ${id}
  union select user_id from attachments where project_id = ${id}
  union select unnest(array[assignee_id, resolved_by_id]) from error_groups where project_id = ${id}
  union select actor_id from issue_activity where project_id = ${id}
  union select actor_id from report_activity where project_id = ${id}
  union select actor_id from error_group_activity where project_id = ${id}
  union select restored_by from report_dismissals where project_id = ${id}
  union select l.user_id from comment_likes l join comments c on c.id = l.comment_id where c.project_id = ${id}`;
