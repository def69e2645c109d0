import { sql } from "kysely";
import type { z } from "zod";
import type { pushSubscriptionBody } from "../../shared/push.ts";
import { endedSession } from "../access/credential.ts";
import { refused } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";

const MAX_BROWSERS = 20;

/**
 * Turns on messages for the browser of this session. An endpoint that another account used before moves to this one. 401
 * if the session has just ended.
 */
export async function subscribe(
  db: Db,
  caller: { user_id: number; id_hash: Buffer },
  { endpoint, keys }: z.output<typeof pushSubscriptionBody>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Concurrent requests must not exceed the limit together.
    await sql`select from users where id = ${caller.user_id} for no key update`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select count(*) from push_subscriptions where user_id = ${caller.user_id} and endpoint <> ${endpoint}`.execute(
      tx,
    );
    const session = await sql`
      select from sessions where id_hash = ${caller.id_hash} for key share`.execute(tx);
    if (session.rows.length === 0) throw endedSession();
    if ((rows[0]?.count ?? 0) >= MAX_BROWSERS)
      throw refused(`Push notifications are on in ${MAX_BROWSERS} browsers. Turn them off in one of them.`);
    await sql`
      insert into push_subscriptions (user_id, session_hash, endpoint, p256dh, auth)
      values (${caller.user_id}, ${caller.id_hash}, ${endpoint}, ${keys.p256dh}, ${keys.auth})
      on conflict (endpoint) do update set user_id = excluded.user_id, session_hash = excluded.session_hash,
        p256dh = excluded.p256dh, auth = excluded.auth`.execute(tx);
    // Messages queued for the account that used this browser before must not reach this account.
    await sql`
      delete from push_messages m using push_subscriptions s
      where s.id = m.subscription_id and s.endpoint = ${endpoint}`.execute(tx);
  });
}

/** The endpoints that this session has subscribed. */
export async function listEndpoints(db: Db, sessionHash: Buffer): Promise<string[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .select("endpoint")
    .where("session_hash", "=", sessionHash)
    .orderBy("id")
    .execute();
  return rows.map(({ endpoint }) => endpoint);
}

export async function unsubscribe(db: Db, userId: number, endpoint: string): Promise<void> {
  await db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint", "=", endpoint)
    .execute();
}
