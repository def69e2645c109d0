import type { Db } from "../../../db/connect.ts";
import { sha256, tokenKind } from "../../../access/tokens.ts";
import { lockGrant, revokeGrant } from "./grant.ts";
import { oauthError } from "./oauth-error.ts";

/**
 * Revokes a token for the client that has it (RFC 7009). With a refresh token, everything that was granted ends; with an access token,
 * only this token. Unknown tokens are ignored.
 */
export async function revokeToken(db: Db, token: string, clientId: string | undefined): Promise<void> {
  const kind = tokenKind(token);
  if (kind !== "oat" && kind !== "ort") return;
  const table = kind === "ort" ? "oauth_refresh_tokens" : "oauth_access_tokens";
  const tokenHash = sha256(token);
  await db.transaction().execute(async (tx) => {
    const grant = await lockGrant(tx, table, tokenHash);
    if (!grant) return;
    if (clientId !== undefined && clientId !== grant.oauth_client_id)
      throw oauthError("invalid_client", "The token belongs to another client.");
    if (kind === "ort") await revokeGrant(tx, grant, "by_client");
    else await tx.deleteFrom("oauth_access_tokens").where("token_hash", "=", tokenHash).execute();
  });
}
