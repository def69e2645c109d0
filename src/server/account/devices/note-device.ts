import { sql } from "kysely";
import type { Browser } from "../../access/sessions.ts";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Tx } from "../../db/connect.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";

/**
 * Records that the user signed in with the browser; returns the secret for its cookie. Emails the user about a new browser, except
 * the first one after registration.
 */
export async function noteDevice(tx: Tx, userId: number, browser: Browser): Promise<string> {
  const secret = /^[\w-]{43}$/.test(browser.device ?? "") ? (browser.device as string) : randomSecret();
  const { rows } = await sql<{ is_new: boolean; known: number }>`
    insert into known_devices (user_id, device_hash) values (${userId}, ${sha256(secret)})
    on conflict (user_id, device_hash) do update set last_used_at = clock_timestamp()
    returning xmax = 0 as is_new,
      (select count(*)::int from known_devices where user_id = ${userId}) as known`.execute(tx);
  const [row] = rows;
  if (row?.is_new && row.known > 0)
    await queueSecurityMail(tx, userId, {
      subject: "New sign-in to your account",
      body: "Someone signed in with a browser that has not been used for your account before.",
    });
  return secret;
}
