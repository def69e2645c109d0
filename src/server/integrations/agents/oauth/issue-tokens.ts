import { sql } from "kysely";
import type { TokenAnswer } from "../../../../shared/oauth.ts";
import type { Scope } from "../../../../shared/token-scopes.ts";
import { makeToken } from "../../../access/tokens.ts";
import type { Tx } from "../../../db/connect.ts";
import type { Grant } from "./grant.ts";

const ACCESS_SECONDS = 3_600;
const REFRESH_DAYS = 30;

/** Makes an access token with these scopes, which the grant must have, and the refresh token that gets the next one. */
export async function issueTokens(tx: Tx, grant: Grant, scopes: readonly Scope[]): Promise<TokenAnswer> {
  const access = makeToken("oat");
  const refresh = makeToken("ort");
  const refreshExpiry = sql<string>`clock_timestamp() + make_interval(days => ${REFRESH_DAYS})`;
  await tx
    .insertInto("oauth_access_tokens")
    .values({
      token_hash: access.token_hash,
      token_id: grant.id,
      scopes: [...scopes],
      expires_at: sql`clock_timestamp() + make_interval(secs => ${ACCESS_SECONDS})`,
    })
    .execute();
  await tx
    .insertInto("oauth_refresh_tokens")
    .values({ token_hash: refresh.token_hash, token_id: grant.id, expires_at: refreshExpiry })
    .execute();
  await tx
    .updateTable("personal_tokens")
    .set({ expires_at: refreshExpiry, last_four: access.last_four })
    .where("id", "=", grant.id)
    .execute();
  return {
    access_token: access.token,
    token_type: "Bearer",
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh.token,
    scope: scopes.join(" "),
  };
}
