import { hash } from "node:crypto";
import { sql } from "kysely";
import type { TokenAnswer, TokenForm } from "../../../../shared/oauth.ts";
import type { HttpError } from "../../../answers/errors.ts";
import { sha256 } from "../../../access/tokens.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { lockGrant, revokeGrant } from "./grant.ts";
import { issueTokens } from "./issue-tokens.ts";
import { oauthError } from "./oauth-error.ts";
import { resourceOf } from "./resource.ts";

/**
 * Exchanges a code for tokens, once, within its time, and only for the client and with the verifier that it was made for. A code that
 * comes twice may have been stolen: what it gave is revoked. Returns the refusal, so that this revocation is committed.
 */
export async function exchangeCode(db: Db, form: TokenForm): Promise<TokenAnswer | HttpError> {
  const { code, code_verifier } = form;
  if (code === undefined || code_verifier === undefined)
    return oauthError("invalid_request", "code and code_verifier are required.");
  const codeHash = sha256(code);
  return db.transaction().execute(async (tx) => {
    const grant = await lockGrant(tx, "oauth_codes", codeHash);
    if (!grant) return unusable();
    const row = await readCode(tx, codeHash);
    if (row.is_used) {
      await revokeGrant(tx, grant, "code_used_twice");
      return unusable();
    }
    if (row.is_expired || grant.oauth_client_id !== form.client_id) return unusable();
    if (form.redirect_uri !== undefined && form.redirect_uri !== row.redirect_uri)
      return oauthError("invalid_grant", "redirect_uri differs from that of the authorization request.");
    if (!isVerifier(code_verifier) || hash("sha256", code_verifier, "base64url") !== row.code_challenge)
      return oauthError("invalid_grant", "code_verifier does not match the code_challenge.");
    const isOtherResource = row.resource !== null && form.resource !== undefined;
    if (isOtherResource && resourceOf(form.resource ?? "") !== row.resource)
      return oauthError("invalid_target", "resource differs from that of the authorization request.");
    await tx
      .updateTable("oauth_codes")
      .set({ used_at: sql`clock_timestamp()` })
      .where("code_hash", "=", codeHash)
      .execute();
    return issueTokens(tx, grant, grant.scopes);
  });
}

const unusable = () => oauthError("invalid_grant", "The code is unknown, used or expired.");

const readCode = (tx: Tx, codeHash: Buffer) =>
  tx
    .selectFrom("oauth_codes")
    .select(["redirect_uri", "code_challenge", "resource"])
    .select(sql<boolean>`used_at is not null`.as("is_used"))
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as("is_expired"))
    .where("code_hash", "=", codeHash)
    .executeTakeFirstOrThrow();

/** RFC 7636, 4.1. */
const isVerifier = (value: string) => /^[A-Za-z0-9\-._~]{43,128}$/.test(value);
