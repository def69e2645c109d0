import { sent } from "./columns.ts";

/** The value of `last_change` after a batch that ended a snooze. */
export const SNOOZE_ENDED = 2;

/**
 * Whether the events of the batch end the snooze of the ignored group `g`, and the users to remember until it ends. A row of
 * `ends` and `users`; both are null for a group that is not snoozed. `count` is its number of events with this batch, and
 * `at` their time. Only snoozed groups evaluate the conditions.
 */
export const snoozeOf = (at: string, count: string): string => `(
        select case when g.status <> 2 or g.snoozed_until is null then null else
            coalesce(${at} >= g.snooze_ends_at, false)
            or coalesce(${count} >= g.snooze_ends_count, false)
            or coalesce(cardinality(seen_users.all) >= (g.snoozed_until ->> 'users')::bigint, false)
            or (g.snoozed_until ? 'release' and coalesce((
              select bool_or(regresses_in(g.project_id, 'release', g.snoozed_until ->> 'release', null, null, c.release))
              from batch b join ${sent("batch_releases", "c")} using (n) where b.key = g.key), false))
          end as ends,
          seen_users.all as users
        from (
          select case when g.status <> 2 or g.snooze_users is null then null else array(
            select unnest(g.snooze_users)
            -- Eight bytes are enough to tell the users of one group apart.
            union select hashtextextended(encode(c.user_hash, 'hex'), 0)
            from batch b join ${sent("batch_users", "c")} using (n) where b.key = g.key) end as all offset 0
        ) seen_users)`;
