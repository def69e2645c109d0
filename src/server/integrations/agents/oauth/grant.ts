import { sql } from "kysely";
import type { Scope } from "../../../../shared/token-scopes.ts";
import { revocationOf } from "../../../account/personal-tokens/revocation.ts";
import type { Tx } from "../../../db/connect.ts";
import { queueSecurityMail } from "../../../mail/security-mail.ts";
import { recordAudit } from "../../../record/audit.ts";

/** What a person has granted to a client: a row of `personal_tokens`. */
export type Grant = {
  id: number;
  user_id: number;
  name: string;
  scopes: Scope[];
  oauth_client_id: string;
};

/** The secrets of a grant, by the column with their hash. */
const SECRETS = {
  oauth_codes: "code_hash",
  oauth_access_tokens: "token_hash",
  oauth_refresh_tokens: "token_hash",
} as const;

/**
 * The grant that a code or token belongs to. Locks its row, so that uses of its secrets and its revocation happen one after the other.
 * Read the secret itself after this.
 */
export async function lockGrant(
  tx: Tx,
  table: keyof typeof SECRETS,
  hash: Buffer,
): Promise<Grant | undefined> {
  const { rows } = await sql<Grant>`
    select id, user_id, name, scopes, oauth_client_id from personal_tokens
    where id = (select token_id from ${sql.table(table)} where ${sql.ref(SECRETS[table])} = ${hash})
    for update`.execute(tx);
  return rows[0];
}

type Reason = "code_used_twice" | "refresh_token_used_twice" | "by_client";

/** Deletes a grant with its code and all of its tokens. */
export async function revokeGrant(tx: Tx, grant: Grant, reason: Reason): Promise<void> {
  await tx.deleteFrom("personal_tokens").where("id", "=", grant.id).execute();
  await recordAudit(tx, {
    ...revocationOf(grant.user_id, grant),
    details: { client: grant.oauth_client_id, reason },
  });
  if (reason !== "by_client")
    await queueSecurityMail(tx, grant.user_id, {
      subject: "A connected app was disconnected",
      body: "A code or token of a connected app was used twice, so somebody else may have it. The app has lost its access; connect it again to keep using it.",
    });
}
