import { sql } from "kysely";
import { randomSecret, sha256 } from "../../../access/tokens.ts";
import { requireAccessible } from "../../../account/personal-tokens/require-accessible.ts";
import type { Db } from "../../../db/connect.ts";
import { queueSecurityMail } from "../../../mail/security-mail.ts";
import { recordAudit } from "../../../record/audit.ts";
import { requireDailyAllowance } from "../../../record/require-daily-allowance.ts";
import type { Client } from "./client-document.ts";

const CODE_SECONDS = 60;

type Grant = {
  client: Client;
  redirectUri: string;
  redirectHost: string;
  codeChallenge: string;
  /** Normalized, if the client named one. */
  resource: string | null;
  scopes: string[];
  projectIds: number[];
};

/**
 * Grants a client access as the user, within scopes and projects, and returns the code that it exchanges for tokens. If it does not,
 * the grant expires with the code. 422 if the user created too many tokens today, or cannot access one of the projects.
 */
export async function createGrant(db: Db, userId: number, grant: Grant): Promise<string> {
  const { client, redirectHost, scopes, projectIds } = grant;
  const write = scopes.some((scope) => scope.endsWith(":write"));
  const code = randomSecret();
  await db.transaction().execute(async (tx) => {
    await requireDailyAllowance(tx, userId, "token.created", "personal_token");
    await requireAccessible(tx, userId, projectIds);
    const expires_at = sql<string>`clock_timestamp() + make_interval(secs => ${CODE_SECONDS})`;
    const { id } = await tx
      .insertInto("personal_tokens")
      .values({
        user_id: userId,
        name: client.name,
        write,
        scopes,
        project_ids: projectIds,
        token_hash: null,
        last_four: "",
        oauth_client_id: client.id,
        oauth_redirect_host: redirectHost,
        expires_at,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("oauth_codes")
      .values({
        code_hash: sha256(code),
        token_id: id,
        redirect_uri: grant.redirectUri,
        code_challenge: grant.codeChallenge,
        resource: grant.resource,
        expires_at,
      })
      .execute();
    await tx
      .updateTable("oauth_clients")
      .set({ used_at: sql`now()`, address: null })
      .where("id", "=", client.id)
      .execute();
    await recordAudit(tx, {
      kind: "token.created",
      account_id: userId,
      actor_id: userId,
      subject: { type: "personal_token", id, name: client.name },
      details: { write, scopes, project_ids: projectIds, client: client.id, redirect_host: redirectHost },
    });
    // Without the client's name, which a stranger chose.
    await queueSecurityMail(tx, userId, {
      subject: "An app was connected to your account",
      body: "An app was given access to some of your projects. Your profile lists it under Tokens.",
    });
  });
  return code;
}
