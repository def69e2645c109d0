import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../../db/connect.ts";

/** `isSame`: an object `t` of the project that is used instead of creating the line `s`. */
type Named = { isSame: RawBuilder<unknown>; columns: Record<string, RawBuilder<unknown>> };

const created = sql`coalesce(s.created_at, clock_timestamp())`;
const updated = sql`coalesce(s.updated_at, s.created_at, clock_timestamp())`;

const NAMED = {
  lanes: {
    isSame: sql`t.name = s.name`,
    columns: {
      name: sql`left(s.name, 255)`,
      kind: sql`s.kind`,
      position: sql`(select coalesce(max(position), -1) from lanes where project_id = t.project_id)
        + row_number() over (order by s.position, s.id)`,
      wip_limit: sql`s.wip_limit`,
      created_at: created,
    },
  },
  labels: {
    isSame: sql`lower(t.name) = lower(s.name)`,
    columns: { name: sql`left(s.name, 255)`, color: sql`s.color`, created_at: created },
  },
  sprints: {
    isSame: sql`t.name = s.name`,
    columns: {
      name: sql`left(s.name, 255)`,
      goal: sql`s.goal`,
      starts_on: sql`s.starts_on`,
      ends_on: sql`s.ends_on`,
      state: sql`s.state`,
      capacity_issues: sql`s.capacity_issues`,
      capacity_minutes: sql`s.capacity_minutes`,
      created_at: created,
      updated_at: updated,
    },
  },
  epics: {
    isSame: sql`t.title = s.title`,
    columns: {
      title: sql`left(s.title, 255)`,
      description: sql`s.description`,
      state: sql`s.state`,
      starts_on: sql`s.starts_on`,
      ends_on: sql`s.ends_on`,
      owner_id: sql`pg_temp.person(s.owner_id)`,
      created_by: sql`pg_temp.person(s.created_by)`,
      created_at: created,
      updated_at: updated,
    },
  },
  releases: {
    isSame: sql`t.version_hash = sha256(convert_to(s.version, 'UTF8'))`,
    columns: {
      version: sql`s.version`,
      version_hash: sql`sha256(convert_to(s.version, 'UTF8'))`,
      first_seen_at: sql`s.first_seen_at`,
      commit: sql`s.commit`,
      released_at: sql`s.released_at`,
      created_at: created,
    },
  },
} satisfies Record<string, Named>;

type NamedKind = keyof typeof NAMED;

export const isNamedKind = (kind: string): kind is NamedKind => Object.hasOwn(NAMED, kind);

/** Creates the objects that the project does not have by their name. */
export async function writeNames(tx: Tx, projectId: number, kind: NamedKind, lines: string): Promise<void> {
  const { isSame, columns } = NAMED[kind] as Named;
  const table = sql.table(kind);
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  await sql`
    with s as materialized (
      select s.*, (select t.id from ${table} t where t.project_id = ${projectId} and ${isSame} order by t.id limit 1) as same_id
      from jsonb_populate_recordset(null::${table}, ${lines}::jsonb) s
    ), added as materialized (
      select s.id as source_id, nextval(pg_get_serial_sequence(${kind}, 'id')) as new_id from s where same_id is null order by s.id
    ), inserted as (
      insert into ${table} (id, project_id, ${names}) overriding system value
      select a.new_id, t.project_id, ${sql.join(Object.values(columns))}
      from added a join s on s.id = a.source_id cross join (select ${projectId}::bigint as project_id) t
      order by s.id
    )
    insert into source_ids
    select ${kind}, id, same_id, false from s where same_id is not null
    union all select ${kind}, source_id, new_id, true from added`.execute(tx);
  if (kind === "releases") await writeReleases(tx, projectId, lines);
}

/** What belongs to the new releases. Webhooks are not told of them. */
async function writeReleases(tx: Tx, projectId: number, lines: string): Promise<void> {
  const added = sql`
    jsonb_array_elements(${lines}::jsonb) l
    join source_ids r on r.kind = 'releases' and r.source_id = (l ->> 'id')::bigint and r.is_new`;
  await sql`delete from new_releases n using ${added} where n.release_id = r.id`.execute(tx);
  await sql`
    insert into release_deploys (release_id, environment, deployed_at, commit, url)
    select r.id, d.environment, d.deployed_at, d.commit, case when d.url ~* '^https?://' then d.url end
    from ${added} cross join lateral jsonb_populate_recordset(null::release_deploys, l -> 'deploys') d`.execute(
    tx,
  );
  await sql`
    insert into release_counts (release_id, slot, events, new_groups, regressed_groups, resolved_groups)
    select r.id, 0, c.events, c.new_groups, c.regressed_groups, c.resolved_groups
    from ${added} cross join lateral jsonb_populate_record(null::release_counts, l -> 'counts') c
    where c.events is not null`.execute(tx);
  await sql`
    insert into release_sessions (release_id, environment, hour, project_id, sessions, errored, crashed, abnormal)
    select r.id, c.environment, c.hour, ${projectId}, c.sessions, c.errored, c.crashed, c.abnormal
    from ${added} cross join lateral jsonb_populate_recordset(null::release_sessions, l -> 'sessions') c`.execute(
    tx,
  );
  // Their users are unknown, so nobody can be counted again.
  await sql`
    insert into release_user_counts (release_id, environment, day, users, crashed_users, level, is_closed)
    select r.id, c.environment, c.day, c.users, c.crashed_users, c.level, true
    from ${added} cross join lateral jsonb_populate_recordset(null::release_user_counts, l -> 'user_counts') c`.execute(
    tx,
  );
}

/** An empty project gets exactly the lanes of the export. */
export async function replaceLanes(tx: Tx, projectId: number, lines: string): Promise<void> {
  await sql`
    delete from lanes where project_id = ${projectId} and id not in (select id from source_ids where kind = 'lanes')`.execute(
    tx,
  );
  await sql`
    update lanes t set kind = s.kind, position = s.position, wip_limit = s.wip_limit
    from jsonb_populate_recordset(null::lanes, ${lines}::jsonb) s
    where t.id = pg_temp.target('lanes', s.id)`.execute(tx);
}
