/**
 * `batch` deletes the next rows of project $1 after the id $2. It returns their number and the last id, or null if no rows are
 * left. It must be small enough for the statement timeout, including its cascades.
 */
export type Step = { name: string; batch: string };

/** The steps in order. Deleting the project's own row, the last one, deletes everything else by cascade. */
export const STEPS: readonly [Step, ...Step[]] = [
  ofErrorGroups("error_group_users", "user_hash", 5_000),
  ofErrorGroups("error_group_releases", "release_hash", 5_000),
  ofErrorGroups("error_group_hosts", "name", 5_000),
  ofErrorGroups("error_events", "id", 1_000),
  ofErrorGroups("error_group_tags", "tag_hash", 5_000),
  {
    name: "error_groups",
    // Ingestion locks groups in another order. Skipping locked groups, which the cascade deletes later, avoids deadlocks.
    batch: `
      with batch as materialized (
        select g.id from error_group_classes c join error_groups g on g.id = c.group_id
        where c.project_id = $1 and c.group_id > $2 order by c.group_id limit 500 for update of g skip locked
      ), gone as (delete from error_groups g using batch b where g.id = b.id)
      select count(*)::int as deleted, max(id) as last_id from batch`,
  },
  {
    name: "error_event_ids",
    // These rows have no foreign key. They do not count toward the progress, because a job deletes them within days anyway.
    batch: `
      with batch as materialized (
        select event_id from error_event_ids where project_id = $1 and $2 >= 0 limit 5000
      ), gone as (delete from error_event_ids i using batch b where i.project_id = $1 and i.event_id = b.event_id)
      select 0 as deleted, case when count(*) > 0 then 0 end as last_id from batch`,
  },
  {
    name: "monitor_check_ins",
    // These rows do not count toward the progress, because counting them would take long.
    batch: `
      with batch as materialized (
        select c.id, c.monitor_id from monitors m join monitor_check_ins c on c.monitor_id = m.id
        where m.project_id = $1 and m.id >= $2 order by m.id limit 5000
      ), gone as (delete from monitor_check_ins c using batch b where c.id = b.id)
      select 0 as deleted, max(monitor_id) as last_id from batch`,
  },
  // Each may have thousands of counts and tens of thousands of users.
  withId("releases", 50),
  withId("git_changes", 1_000),
  // Reports before the issues to which they were promoted: otherwise each of their rows would be updated first.
  withId("reports", 1_000),
  withId("comments", 2_000),
  withId("issues", 500),
  withId("epics", 500),
  {
    name: "notifications",
    // There is no index by project, so this scans the table. These rows do not count toward the progress.
    batch: `
      with span as materialized (select id, project_id from notifications where id > $2 order by id limit 20000),
      gone as (delete from notifications n using span s where n.id = s.id and s.project_id = $1)
      select 0 as deleted, max(id) as last_id from span`,
  },
];

export const [FIRST_STEP] = STEPS;

/** The number of rows of the projects $1 that count toward the progress. */
export const COUNT_ROWS = `
select ${["reports", "comments", "issues", "epics", "releases", "git_changes", "error_group_classes"].map(countOf).join(" + ")} +
  ${["error_group_users", "error_group_releases", "error_group_hosts", "error_events", "error_group_tags"].map(countOfGroups).join(" + ")} as total`;

function withId(table: string, limit: number): Step {
  return {
    name: table,
    batch: `
      with batch as materialized (
        select id from ${table} where project_id = $1 and id > $2 order by id limit ${limit}
      ), gone as (delete from ${table} t using batch b where t.id = b.id)
      select count(*)::int as deleted, max(id) as last_id from batch`,
  };
}

/** A group can have any number of these rows, so a batch may end within a group. */
function ofErrorGroups(table: string, key: string, limit: number): Step {
  return {
    name: table,
    batch: `
      with batch as materialized (
        select t.group_id, t.${key} from error_group_classes c join ${table} t on t.group_id = c.group_id
        where c.project_id = $1 and c.group_id >= $2 order by c.group_id limit ${limit}
      ), gone as (delete from ${table} t using batch b where t.group_id = b.group_id and t.${key} = b.${key})
      select count(*)::int as deleted, max(group_id) as last_id from batch`,
  };
}

function countOf(table: string): string {
  return `(select count(*) from ${table} where project_id = any($1::bigint[]))`;
}

function countOfGroups(table: string): string {
  return `(select count(*) from error_group_classes c join ${table} t on t.group_id = c.group_id
    where c.project_id = any($1::bigint[]))`;
}
