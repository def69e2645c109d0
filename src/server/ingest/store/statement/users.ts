import { sent } from "./columns.ts";

const UP_TO_THE_LIMIT = `
  where s.users is not true or exists (
    select from error_group_users known where known.group_id = s.id and known.user_hash = c.user_hash)`;

/** Records when each user was last seen. Reads `seen`. `users`: group_id, last_seen_at, is_new. */
export const users = (mayBeFull: boolean): string => `
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, c.user_hash, s.at
  from ${sent("batch_users", "c")} join seen s using (n)${mayBeFull ? UP_TO_THE_LIMIT : ""}
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
)`;
