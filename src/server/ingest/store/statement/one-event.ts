import { ofEvent, RETENTION_DAYS } from "./columns.ts";
import { replacedDetails, REASONS } from "./details.ts";
import { REPLACED_BYTES } from "./kept-events.ts";
import { MAX_STORED } from "../../../errors/groups/max-stored.ts";
import { openGroupChanges } from "./open-groups.ts";
import { SLOTS } from "./project-releases.ts";

/** The values of the statement for one event. */
export type OneEvent = { event: Record<string, Buffer | string | number | null> };

const GROUP: Record<string, string> = { latest_message: ofEvent("message"), occurrence_count: "1" };
const DETAILS: Record<string, string> = {
  event: "nextval('error_events_id_seq')",
  received_at: "s.at",
  reason: `case ${REASONS} else 0 end`,
  event_id: `${ofEvent("event_id")}::uuid`,
  release: ofEvent("last_release"),
  tags: `${ofEvent("tags")}::jsonb`,
  cut: `${ofEvent("cut")}::jsonb`,
  is_release_kept: `${ofEvent("is_release_kept")} = 1`,
  has_others: "false",
};
const of = (special: Record<string, string>) => (column: string) =>
  special[column] ?? ofEvent(column as Parameters<typeof ofEvent>[0]);

const RELEASE_HASH = `sha256(convert_to(${ofEvent("last_release")}, 'UTF8'))`;
const USER_HASH = "$event.user_hash::bytea";

/**
 * Stores one event of a group that exists, is open, and has rows for the release and the host. The statement for batches
 * spends half of its time on preparing for several groups, new rows and limits. This one only updates rows, except that
 * the user may be new. Fails with UNEXPECTED_CHANGES if a row is missing, or if the group is not open or has reached its
 * limit of users; returns no row if there is no group.
 *
 * The group's status is not a condition in `where`, because the plan would then use a partial index instead of the key.
 */
export const ONE_EVENT = `
with seen as (
  update error_groups g set
    ${openGroupChanges({ now: "clock.now", count: "1", isOnlyCounted: "false", sent: of(GROUP) })}
  from (select clock_timestamp() as now offset 0) clock
  where g.key = ${ofEvent("key")}
  returning g.id, g.project_id, g.status, g.last_seen_at as at, g.occurrence_count, g.occurrence_count - 1 as count_before,
    coalesce(g.last_kept_at = g.last_seen_at, false) as is_kept
),
details as (
  update error_group_details d set
    ${replacedDetails(of(DETAILS))}
  from seen s where d.group_id = s.id returning 1
),
group_releases as (
  update error_group_releases r set occurrence_count = r.occurrence_count + 1, last_seen_at = s.at
  from seen s where r.group_id = s.id and r.release_hash = ${RELEASE_HASH} returning 1
),
hosts as (
  update error_group_hosts h set
    count = 1 + case when h.last_seen_at > s.at - make_interval(days => ${RETENTION_DAYS}) then h.count else 0 end,
    last_seen_at = s.at
  from seen s where h.group_id = s.id and h.name = ${ofEvent("host")} returning 1
),
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, ${USER_HASH}, s.at from seen s where ${USER_HASH} is not null
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
),
counts as (
  update error_group_counts c set
    users = c.users + 1, users_seen_since = least(c.users_seen_since, u.last_seen_at)
  from users u where u.is_new and c.group_id = u.group_id and c.users < ${MAX_STORED.users} returning 1
),
release_counted as (
  update release_counts c set events = c.events + 1
  from seen s join releases r on r.project_id = s.project_id and r.version_hash = ${RELEASE_HASH}
  where r.first_seen_at is not null and c.release_id = r.id and c.slot = pg_backend_pid() % ${SLOTS} returning 1
),
event_ids as (
  insert into error_event_ids (project_id, event_id, group_id, received_at)
  select s.project_id, ${ofEvent("event_id")}::uuid, s.id, s.at from seen s where ${ofEvent("event_id")} is not null
)
select id, project_id, is_kept::int as kept, ${REPLACED_BYTES} as replaced
from seen
where case when status = 0
  and exists (select from details)
  and (${ofEvent("last_release")} is null or (exists (select from group_releases) and exists (select from release_counted)))
  and (${ofEvent("host")} is null or exists (select from hosts))
  and (not exists (select from users where is_new) or exists (select from counts))
  then true else fail_for_unexpected_changes() end`;
