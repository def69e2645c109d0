import { sql } from "kysely";
import { invalid } from "../../../answers/errors.ts";
import type { Tx } from "../../../db/connect.ts";
import { indexLocationsOf } from "../../../errors/groups/location-index.ts";
import { indexMessagesOf } from "../../../errors/groups/message-index.ts";
import { indexTagsOf } from "../../../errors/groups/tag-index.ts";
import type { Line } from "./read-lines.ts";
import { writeGitLinks } from "./write-git-links.ts";

const COLUMNS = [
  "environment",
  "key",
  "exception_class",
  "release",
  "last_release",
  "latest_message",
  "context_kind",
  "context_label",
  "occurrence_count",
  "daily_counts",
  "status",
  "resolved_at",
  "resolved_release",
  "regressed_at",
  "regressed_release",
  "reopen_count",
  "first_seen_at",
  "last_seen_at",
  "last_seen_span",
  "updated_at",
  "level",
  "last_kept_at",
  "snoozed_until",
  "snooze_ends_at",
  "snooze_ends_count",
  "resolved_in",
  "resolved_in_release",
  "resolved_after_release",
  "verified_at",
  "linked_at",
  "span_count",
  "previous_span_count",
];

const DETAILS = [
  "stack_trace",
  "previous_exceptions",
  "exception_code",
  "runtime_name",
  "runtime_version",
  "framework_name",
  "framework_version",
  "memory_peak_bytes",
  "memory_limit_bytes",
  "context",
  "event",
  "received_at",
  "reason",
  "has_feedback",
  "event_id",
  "level",
  "release",
  "host",
  "pseudonym",
  "message",
  "tags",
  "additions",
  "cut",
  "is_release_kept",
  "has_others",
];

const columnsOf = (table: string, columns: string[]) =>
  sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
const namesOf = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)));

/**
 * Creates error groups with their latest events, in the order of their keys, like ingestion. If events have created a group
 * meanwhile, it stays as it is.
 */
export async function writeErrorGroups(tx: Tx, projectId: number, lines: string): Promise<void> {
  await sql`
    with s as materialized (
      select * from jsonb_populate_recordset(null::error_groups, ${lines}::jsonb)
    ), added as (
      insert into error_groups as g (project_id, ${namesOf(COLUMNS)}, snooze_users, assignee_id, resolved_by_id,
        linked_issue_id, resolved_by_issue_id)
      select ${projectId}, ${columnsOf("s", COLUMNS)},
        -- The users that a snooze has counted were not exported.
        case when s.snoozed_until ->> 'users' is not null then '{}'::bigint[] end,
        pg_temp.person(s.assignee_id), pg_temp.person(s.resolved_by_id),
        pg_temp.target('issues', s.linked_issue_id), pg_temp.target('issues', s.resolved_by_issue_id)
      from s order by s.key
      on conflict (key) do update set updated_at = g.updated_at
      returning g.id, g.key, (xmax = 0) as is_new
    )
    insert into source_ids
    select 'error_groups', s.id, a.id, a.is_new from added a join s on s.key = a.key`.execute(tx);
  const added = sql`
    jsonb_array_elements(${lines}::jsonb) l
    join source_ids g on g.kind = 'error_groups' and g.source_id = (l ->> 'id')::bigint and g.is_new`;
  await sql`
    insert into error_group_details (group_id, ${namesOf(DETAILS)})
    select g.id, ${columnsOf("d", DETAILS)}
    from ${added} cross join lateral jsonb_populate_record(null::error_group_details, l -> 'latest_event') d`.execute(
    tx,
  );
  await sql`
    insert into error_group_counts (group_id, project_id, users, users_seen_since, releases, hosts)
    select g.id, ${projectId}, coalesce((l ->> 'affected_users')::int, 0),
      case when (l ->> 'affected_users')::int > 0 then (l ->> 'last_seen_at')::timestamptz else 'infinity' end,
      jsonb_array_length(l -> 'releases'), jsonb_array_length(l -> 'hosts')
    from ${added}`.execute(tx);
  await sql`
    insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
    select g.id, sha256(convert_to(r.release, 'UTF8')), r.release, r.occurrence_count, r.first_seen_at, r.last_seen_at
    from ${added} cross join lateral jsonb_array_elements(l -> 'releases') with ordinality as e (entry, place)
    cross join lateral jsonb_populate_record(null::error_group_releases, entry) r order by g.id, place`.execute(
    tx,
  );
  await sql`
    insert into error_group_hosts (group_id, name, count, last_seen_at)
    select g.id, h.name, h.count, h.last_seen_at
    from ${added} cross join lateral jsonb_populate_recordset(null::error_group_hosts, l -> 'hosts') h`.execute(
    tx,
  );
  await sql`
    insert into release_groups (release_id, kind, group_id, at)
    select pg_temp.target('releases', c.release_id), c.kind, g.id, c.at
    from ${added} cross join lateral jsonb_populate_recordset(null::release_groups, l -> 'changes_of_releases') c
    where pg_temp.target('releases', c.release_id) is not null on conflict do nothing`.execute(tx);
  await sql`
    insert into error_group_activity (group_id, kind, "to", created_at)
    select g.id, 'first_seen', l -> 'release', (l ->> 'first_seen_at')::timestamptz from ${added} order by g.id`.execute(
    tx,
  );
  await sql`
    insert into error_event_ids (project_id, event_id, group_id, received_at)
    select ${projectId}, d.event_id, g.id, d.received_at
    from ${added} cross join lateral jsonb_populate_record(null::error_group_details, l -> 'latest_event') d
    where d.event_id is not null on conflict do nothing`.execute(tx);
  await writeGitLinks(tx, projectId, "error_groups", lines);
}

/** Creates kept events of the new groups, besides the latest ones. */
export async function writeEvents(tx: Tx, projectId: number, lines: string): Promise<void> {
  const events = sql`
    jsonb_populate_recordset(null::error_events, ${lines}::jsonb) e
    join source_ids g on g.kind = 'error_groups' and g.source_id = e.group_id and g.is_new`;
  await sql`
    insert into error_events (id, group_id, received_at, reason, has_feedback, event_id, level, release, host, pseudonym, message,
      stack_trace, previous_exceptions, context, runtime_name, runtime_version, framework_name, framework_version, tags, additions)
    select e.id, g.id, e.received_at, e.reason, e.has_feedback, e.event_id, e.level, e.release, e.host, e.pseudonym, e.message,
      e.stack_trace, e.previous_exceptions, e.context, e.runtime_name, e.runtime_version, e.framework_name,
      e.framework_version, e.tags, e.additions
    from ${events} on conflict do nothing`.execute(tx);
  await sql`
    insert into error_event_ids (project_id, event_id, group_id, received_at)
    select ${projectId}, e.event_id, g.id, e.received_at from ${events}
    where e.event_id is not null on conflict do nothing`.execute(tx);
}

/** Makes new groups and events findable: the jobs that do this only consider groups that were seen recently. */
export async function indexGroups(tx: Tx, sourceIds: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from source_ids where kind = 'error_groups' and source_id = any(${sourceIds}::bigint[]) and is_new order by id`.execute(
    tx,
  );
  const ids = rows.map(({ id }) => id);
  await indexTagsOf(tx, ids);
  await indexMessagesOf(tx, ids);
  await indexLocationsOf(tx, ids);
}

/** More than an installation can have had, and few enough for the ids of all events to come. */
const MAX_EVENT_ID = 1_000_000_000_000_000;
const MARGIN = 1_000_000;

/** Events have increasing ids within a group, so those that arrive later need ids above those of the export. */
export async function reserveEventIds(tx: Tx, ids: number[]): Promise<void> {
  const last = ids.reduce((most, id) => Math.max(most, id), 0);
  if (last > MAX_EVENT_ID) throw invalid({ id: [`of an event must be at most ${MAX_EVENT_ID}`] });
  await sql`
    select setval('error_events_id_seq', ${last + MARGIN}::bigint)
    where ${last}::bigint >= (select last_value from error_events_id_seq)`.execute(tx);
}

export const eventIdsOf = (lines: Line[]): number[] =>
  lines.map((line) => Number((Object(line["latest_event"]) as { event?: unknown }).event ?? 0));
