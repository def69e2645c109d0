import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/**
 * Adds a row to each table of errors that a few events leave empty. The project has an error group whose events name a
 * release; the user is one of its members.
 */
export async function fillErrorTables(db: Db, projectId: number, userId: number): Promise<void> {
  const one = sql`with one as materialized (
    select g.id as group_id, g.project_id, p.workspace_id, r.id as release_id, ${userId}::bigint as user_id
    from error_groups g join projects p on p.id = g.project_id join releases r on r.project_id = p.id
    where p.id = ${projectId} order by g.id, r.id limit 1
  )`;
  for (const insert of INSERTS) await sql`${one} ${sql.raw(insert)}`.execute(db);
}

const INSERTS = [
  `insert into error_group_aliases (key, group_id, exception_class, message)
   select sha256(group_id::text::bytea), group_id, 'Merged', 'A message' from one`,
  `insert into merged_error_groups select 900000 + group_id, project_id, group_id from one`,
  `insert into error_events (id, group_id, received_at, reason, has_feedback, level, message, stack_trace, previous_exceptions, tags)
   select nextval('error_events_id_seq'), group_id, now() - interval '1 minute', 2, false, 'error', 'Kept', '#0', '[]', '{"shop": "7"}' from one`,
  `insert into error_group_messages select group_id, project_id, 'A message', false from one`,
  // Listing the project's errors may have filled it.
  `insert into error_group_locations select group_id, project_id, 'GET /orders', 'total order.js', 1 from one
   on conflict do nothing`,
  `insert into error_group_tags select project_id, 1, group_id from one`,
  `insert into error_group_rankings select project_id, array[group_id], 11, group_id, now() from one`,
  // Another project of the workspace may have filled it.
  `insert into workspace_error_group_rankings select workspace_id, array[group_id], 11, group_id, now() from one
   on conflict do nothing`,
  `insert into error_event_ids select project_id, gen_random_uuid(), group_id, now() from one`,
  `, entry as (insert into error_group_activity (group_id, kind) select group_id, 'resolved' from one returning id)
   insert into error_group_undos (activity_id, group_id, user_id, change_id, before)
   select entry.id, group_id, user_id, gen_random_uuid(), '{"status": 0}' from one, entry`,
  `insert into error_group_watchers select group_id, user_id from one`,
  `insert into error_group_notices (group_id, type, details) select group_id, 9, '{"release": "1.0"}' from one`,
  `insert into error_group_hosts (group_id, name, count, last_seen_at) select group_id, 'host', 1, now() from one`,
  `insert into error_group_spikes (group_id) select group_id from one`,
  `insert into issue_regressions (group_id, release, regressed_at) select group_id, '1.0', now() from one`,
  `insert into release_deploys (release_id, deployed_at) select release_id, now() from one`,
  `insert into release_groups select release_id, 'resolved', group_id, now() from one`,
  `insert into project_storms select project_id, now(), now() from one`,
  `insert into project_usage select project_id, date '2026-01-01', 1, 1, 0, 0, 0, 0, 0, 0, 0 from one`,
  `insert into privacy_rules (project_id, name, value_pattern) select project_id, 'customers', 'c-[0-9]+' from one`,
  `, rule as (insert into inbound_rules (project_id, kind, pattern) select project_id, 'message', 'noise' from one returning id)
   insert into inbound_rule_drops select id, date '2026-01-01', 3 from rule`,
  `insert into new_releases select release_id from one`,
  `insert into release_sessions (release_id, environment, hour, project_id, sessions)
   select release_id, 'production', date_trunc('hour', now()), project_id, 5 from one`,
  `insert into failed_sessions (release_id, session, state) select release_id, gen_random_uuid(), 3 from one`,
  `, counts as (
     insert into release_user_counts (release_id, environment, day, users) select release_id, 'production', current_date, 1 from one
     returning id)
   insert into release_users (count_id, user_hash, crashed) select id, 7, false from counts`,
  `, rule as (select r.id from alert_rules r join one using (project_id) order by r.id limit 1)
   insert into alert_rule_firings select id, now() from rule`,
  `, rule as (select r.id from alert_rules r join one using (project_id) order by r.id limit 1)
   insert into alert_rule_counts select id, now(), 3 from rule`,
  `, entry as (
     insert into notifications (user_id, type, message, workspace_id, project_id, error_group_id)
     select user_id, 9, 'Regressed', workspace_id, project_id, group_id from one returning id)
   insert into error_digest_entries select user_id, project_id, entry.id from one, entry`,
  `, monitor as (
     insert into monitors (project_id, slug, name, schedule)
     select project_id, 'backup', 'Backup', '{"type": "interval", "value": 1, "unit": "day"}' from one returning id
   ), environment as (
     insert into monitor_environments (monitor_id, name, error_group_id)
     select monitor.id, 'production', group_id from monitor, one returning id, monitor_id)
   insert into monitor_check_ins (monitor_id, environment_id, status) select monitor_id, id, 'ok' from environment`,
  `insert into monitor_clock (ran_at) select now() from one on conflict do nothing`,
  `insert into monitor_gaps (began_at, ended_at) select now(), now() from one`,
  `insert into server_runs (started_at, ran_at) select now(), now() from one`,
  `insert into error_digests (user_id, project_id, queued_at) select user_id, project_id, now() from one`,
];
