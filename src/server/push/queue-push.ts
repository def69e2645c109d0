import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";

export type NewPush = { user_id: number; title: string; path: string };

/** Queues a message for each browser of these users, with one statement in the caller's transaction. */
export async function queuePushes(tx: Tx, pushes: NewPush[]): Promise<void> {
  if (pushes.length === 0) return;
  const users = pushes.map(({ user_id }) => user_id);
  const titles = pushes.map(({ title }) => title);
  const paths = pushes.map(({ path }) => path);
  await sql`
    insert into push_messages (subscription_id, title, path)
    select s.id, p.title, p.path
    from unnest(${users}::bigint[], ${titles}::text[], ${paths}::text[]) as p (user_id, title, path)
    join push_subscriptions s using (user_id)
    join sessions on sessions.id_hash = s.session_hash and sessions.expires_at > now()
    order by s.id`.execute(tx);
}
