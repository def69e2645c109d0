import { recordAudits, type AuditedAction } from "../../record/audit.ts";
import type { Tx } from "../../db/connect.ts";
import { isOpen } from "../../access/sessions.ts";

/**
 * Marks the account's address as verified: the caller has proved that they read its mail. If the address was unverified,
 * the account may have belonged to someone else, who must not get in again. So its password no longer works, and its
 * personal tokens, second factor and identities are deleted, and all sessions except `keep`. An account without a
 * password keeps its identities, because they are its only way to sign in. The caller of this function holds the lock on
 * the user's row.
 */
export async function confirmAddress(
  tx: Tx,
  userId: number,
  keep?: Buffer,
): Promise<{ removedPassword: boolean }> {
  const user = await tx
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .where("email_verified", "=", false)
    .executeTakeFirst();
  if (!user) return { removedPassword: false };
  const removedPassword = user.password_hash !== null;
  await tx
    .updateTable("users")
    .set({ email_verified: true, ...(removedPassword ? { password_hash: NO_PASSWORD } : {}) })
    .where("id", "=", userId)
    .execute();
  await tx.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
  const own = { account_id: userId, actor_id: userId, subject: { type: "user", id: userId } } as const;
  const actions: AuditedAction[] = [];
  for (const token of await tx
    .deleteFrom("personal_tokens")
    .where("user_id", "=", userId)
    .returning(["id", "name", "oauth_client_id"])
    .execute())
    actions.push({
      ...own,
      kind: "token.revoked",
      subject: { type: "personal_token", id: token.id, name: token.name },
      ...(token.oauth_client_id !== null && { details: { client: token.oauth_client_id } }),
    });
  const factors = tx.deleteFrom("second_factors").where("user_id", "=", userId);
  for (const { confirmed_at } of await factors.returning("confirmed_at").execute())
    if (confirmed_at !== null) actions.push({ ...own, kind: "second_factor.disabled" });
  if (removedPassword) {
    actions.push({ ...own, kind: "password.removed" });
    const identities = tx.deleteFrom("identities").where("user_id", "=", userId);
    for (const { issuer } of await identities.returning("issuer").execute())
      actions.push({ ...own, kind: "identity.unlinked", details: { issuer } });
  }
  let sessions = tx.deleteFrom("sessions").where("user_id", "=", userId);
  if (keep) sessions = sessions.where("id_hash", "<>", keep);
  const ended = (await sessions.returning(isOpen.as("is_open")).execute()).filter(({ is_open }) => is_open);
  if (ended.length > 0) actions.push({ ...own, kind: "session.ended", details: { sessions: ended.length } });
  await recordAudits(tx, actions);
  return { removedPassword };
}

/** Matches no password. Unlike null, it permits an emailed link to set a new one. */
const NO_PASSWORD = "none";
