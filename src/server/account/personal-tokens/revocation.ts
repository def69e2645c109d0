import type { AuditedAction } from "../../record/audit.ts";

/** The columns of a deleted token that its audit entry needs. */
export const REVOKED = ["id", "name", "oauth_client_id"] as const;

type RevokedToken = { id: number; name: string; oauth_client_id: string | null };

/** The audit entry for the revocation of a personal token, or of what was granted to an app. */
export const revocationOf = (userId: number, { id, name, oauth_client_id }: RevokedToken) =>
  ({
    kind: "token.revoked",
    account_id: userId,
    subject: { type: "personal_token", id, name },
    ...(oauth_client_id !== null && { details: { client: oauth_client_id } }),
  }) satisfies AuditedAction;
