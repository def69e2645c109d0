import { sql } from "kysely";
import { OPEN } from "../../../shared/error-groups.ts";
import { SPIKE } from "../../../shared/notifications.ts";
import type { Db } from "../../db/connect.ts";

/** The minimum age of a group: a younger one has no usual rate. */
const YOUNGEST = sql`interval '1 hour'`;

/**
 * Queues notifications of spikes. An open group has a spike if its events in ten minutes reach the project's minimum and
 * exceed the group's usual rate by the project's factor. The spike ends once the events fall below half of that; until then
 * people are not notified again. Any number of processes may call this.
 */
export async function findSpikes(db: Db): Promise<void> {
  await sql`
    with clock as materialized (
      select now, date_bin('10 minutes', now, 'epoch') as span from (select clock_timestamp() as now offset 0) one
    ),
    rates as materialized (${ratesOfRecentGroups}),
    over as materialized (
      select group_id as id from error_group_spikes s where not exists (
        select from rates r
        where r.id = s.group_id and r.events * 2 >= greatest(r.spike_events, r.spike_times * r.rate))
    ),
    spiking as materialized (
      select id from rates where status = ${OPEN} and events >= spike_events and events > spike_times * rate
    ),
    -- A merge locks several groups and deletes their spikes, so waiting for one group while holding the spike of another
    -- could deadlock. The next run handles groups that are being merged or deleted.
    locked as materialized (
      select id from error_groups where id in (select id from over union all select id from spiking)
      order by key for key share skip locked
    ),
    ended as (
      delete from error_group_spikes s using over join locked using (id) where s.group_id = over.id
    ),
    started as (
      insert into error_group_spikes (group_id)
      select id from spiking join locked using (id) order by id
      on conflict (group_id) do nothing
      returning group_id
    )
    insert into error_group_notices (group_id, type, details)
    select r.id, ${SPIKE}, jsonb_build_object('events', r.events, 'usual', r.rate)
    from started s join rates r on r.id = s.group_id order by r.id`.execute(db);
}

/**
 * The groups seen in the last ten to twenty minutes, with their events in ten minutes and their usual rate: the average of
 * the previous seven days.
 *
 * The number of events in ten minutes is the largest of three: the current span of ten minutes, the previous span, and the
 * last ten minutes, for which the previous span counts in proportion to its overlap.
 */
const ratesOfRecentGroups = sql`
    select g.id, g.status, recent.events, usual.rate, p.spike_events, p.spike_times
    from clock
    cross join projects p
    join workspaces w on w.id = p.workspace_id and w.error_tracking_enabled
    -- PostgreSQL can estimate how many groups were seen since a time relative to now(), which is never later than the clock,
    -- but not since the clock's span. With offset 0, it reads each project's recent groups by index instead of all groups.
    cross join lateral (
      select * from error_groups g
      where g.project_id = p.id and g.last_seen_span >= now() - interval '20 minutes'
        and g.last_seen_span >= clock.span - interval '10 minutes'
        and (g.span_count + g.previous_span_count) * 2 >= p.spike_events
      offset 0
    ) g
    cross join lateral (
      select case when g.last_seen_span < clock.span then 0 else g.span_count end as current,
        case when g.last_seen_span < clock.span then g.span_count else g.previous_span_count end as previous,
        1 - extract(epoch from clock.now - clock.span)::double precision / 600 as part
    ) spans
    cross join lateral (
      select greatest(spans.current, spans.previous, round(spans.current + spans.previous * spans.part)) as events
    ) recent
    cross join lateral (
      select greatest(g.first_seen_at, date_trunc('day', g.last_seen_at, 'UTC') - interval '7 days') as since,
        g.last_seen_span - interval '10 minutes' as until
    ) before
    cross join lateral (
      select case when before.until - before.since >= ${YOUNGEST} then
        greatest(0, (select sum(day) from unnest(g.daily_counts[1:8]) as day) - g.span_count - g.previous_span_count)
          / extract(epoch from before.until - before.since)::double precision * 600 end as rate
    ) usual
    where p.deleted_at is null`;
