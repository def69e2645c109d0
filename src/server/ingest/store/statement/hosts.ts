import { RETENTION_DAYS, sent } from "./columns.ts";

const hasHost = (group: string, host: string) => `(${host} <> 'other' and exists (
      select from error_group_hosts known where known.group_id = ${group} and known.name = ${host}))`;

const ALL = `
  select s.id, c.name, c.count, s.at
  from ${sent("batch_hosts", "c")} join seen s using (n)`;

const UP_TO_THE_LIMIT = `${ALL}
  where s.hosts is not true or ${hasHost("s.id", "c.name")}
  union all
  select f.id, 'other', sum(c.count), f.at
  from full_groups f join ${sent("batch_hosts", "c")} using (n)
  where f.hosts and not ${hasHost("f.id", "c.name")}
  group by f.id, f.at`;

/** Counts the hosts of each group. Reads `seen` and, if some groups may be full, `full_groups`. `hosts`: group_id, is_new. */
export const hosts = (mayBeFull: boolean): string => `
hosts as (
  insert into error_group_hosts as h (group_id, name, count, last_seen_at)${mayBeFull ? UP_TO_THE_LIMIT : ALL}
  on conflict (group_id, name) do update set
    -- A host that was not seen within the window starts from zero, even if its row has not been deleted yet.
    count = excluded.count + case
      when h.last_seen_at > excluded.last_seen_at - make_interval(days => ${RETENTION_DAYS}) then h.count else 0 end,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
)`;
