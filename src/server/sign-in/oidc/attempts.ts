import { sql } from "kysely";
import * as openid from "openid-client";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { SignInError } from "./sign-in-error.ts";

/** How long somebody may take at the identity provider. */
export const ATTEMPT_SECONDS = 600;

/** What ties the provider's answer to the browser that asked. */
export type Attempt = {
  state: string;
  nonce: string;
  code_verifier: string;
  return_to: string;
  linking_session: Buffer | null;
};

export function newAttempt(goal: Pick<Attempt, "return_to" | "linking_session">): Attempt {
  return {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    code_verifier: openid.randomPKCECodeVerifier(),
    ...goal,
  };
}

/** Keeps the attempt, and returns the secret for its browser's cookie. Forgets those whose time is up. */
export async function keepAttempt(db: Db, { state, ...attempt }: Attempt): Promise<string> {
  const secret = randomSecret();
  await db
    .deleteFrom("oidc_attempts")
    .where("expires_at", "<", sql<string>`now()`)
    .execute();
  await db
    .insertInto("oidc_attempts")
    .values({
      ...attempt,
      secret_hash: sha256(secret),
      state_hash: sha256(state),
      expires_at: sql`now() + make_interval(secs => ${ATTEMPT_SECONDS})`,
    })
    .execute();
  return secret;
}

/** `isLate`: its time was up. */
export type TakenAttempt = Attempt & { isLate: boolean };

/**
 * The attempt of this browser with this state, which can be taken once. SignInError when there is none. A state that is
 * not its own leaves an attempt as it is: any site can send a browser here.
 */
export async function takeAttempt(
  db: Db,
  secret: string | undefined,
  state: string | null,
): Promise<TakenAttempt> {
  if (secret === undefined || state === null) throw new SignInError("expired", "no cookie or no state");
  const row = await db
    .deleteFrom("oidc_attempts")
    .where("secret_hash", "=", sha256(secret))
    .where("state_hash", "=", sha256(state))
    .returning(["nonce", "code_verifier", "return_to", "linking_session"])
    .returning(sql<boolean>`expires_at <= now()`.as("isLate"))
    .executeTakeFirst();
  if (!row) throw new SignInError("expired", "the attempt is unknown or used");
  return { ...row, state };
}
