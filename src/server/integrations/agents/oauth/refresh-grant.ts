import { sql } from "kysely";
import type { TokenAnswer, TokenForm } from "../../../../shared/oauth.ts";
import { SCOPES, type Area, type Scope } from "../../../../shared/token-scopes.ts";
import type { HttpError } from "../../../answers/errors.ts";
import { coversArea, makeTokenScope } from "../../../access/token-scope.ts";
import { sha256 } from "../../../access/tokens.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { lockGrant, revokeGrant } from "./grant.ts";
import { issueTokens } from "./issue-tokens.ts";
import { oauthError } from "./oauth-error.ts";

/**
 * Exchanges a refresh token for new tokens, once. One that comes twice may have been stolen: the grant is revoked. Returns the refusal,
 * so that this revocation is committed.
 */
export async function refreshGrant(db: Db, form: TokenForm): Promise<TokenAnswer | HttpError> {
  if (form.refresh_token === undefined) return oauthError("invalid_request", "refresh_token is required.");
  const tokenHash = sha256(form.refresh_token);
  return db.transaction().execute(async (tx) => {
    const grant = await lockGrant(tx, "oauth_refresh_tokens", tokenHash);
    if (!grant || grant.oauth_client_id !== form.client_id) return unusable();
    const row = await readRefreshToken(tx, tokenHash);
    if (row.is_used) {
      await revokeGrant(tx, grant, "refresh_token_used_twice");
      return unusable();
    }
    if (row.is_expired) return unusable();
    const scopes = form.scope === undefined ? grant.scopes : narrowed(grant.scopes, form.scope);
    if (!scopes) return oauthError("invalid_scope", "scope has more than was granted.");
    await tx
      .updateTable("oauth_refresh_tokens")
      .set({ used_at: sql`clock_timestamp()` })
      .where("token_hash", "=", tokenHash)
      .execute();
    return issueTokens(tx, grant, scopes);
  });
}

const unusable = () => oauthError("invalid_grant", "The refresh token is unknown, used or expired.");

const readRefreshToken = (tx: Tx, tokenHash: Buffer) =>
  tx
    .selectFrom("oauth_refresh_tokens")
    .select(sql<boolean>`used_at is not null`.as("is_used"))
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as("is_expired"))
    .where("token_hash", "=", tokenHash)
    .executeTakeFirstOrThrow();

/** The scopes that are named, as long as the granted ones include them; undefined if one is unknown or was not granted. */
function narrowed(granted: readonly Scope[], text: string): Scope[] | undefined {
  const names = text.split(" ").filter((name) => name !== "");
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  const limit = makeTokenScope(granted, []);
  const isGranted = (scope: Scope) => {
    const [area, level] = scope.split(":") as [Area, "read" | "write"];
    return coversArea(limit, area, level === "read");
  };
  const isValid = scopes.length > 0 && scopes.length === new Set(names).size && scopes.every(isGranted);
  return isValid ? scopes : undefined;
}
