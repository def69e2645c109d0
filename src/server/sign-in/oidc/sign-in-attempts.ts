import { sql } from "kysely";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { SignInError } from "./sign-in-error.ts";

/** How long a user may take at the identity provider. */
export const ATTEMPT_SECONDS = 600;

/** Ties the provider's response to the browser that started the sign-in. */
export type Attempt = {
  state: string;
  nonce: string;
  code_verifier: string;
  return_to: string;
  linking_session: Buffer | null;
  confirming_session: Buffer | null;
};

/** What to do once the user has signed in: link the identity to a session's user, confirm the session, or open one. */
export type Goal = Pick<Attempt, "return_to" | "linking_session" | "confirming_session">;

export function newAttempt(goal: Goal): Attempt {
  return {
    state: randomSecret(),
    nonce: randomSecret(),
    code_verifier: randomSecret(),
    ...goal,
  };
}

/** Stores the attempt and returns the secret for the browser's cookie. Deletes expired attempts. */
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

/** `isLate`: the attempt had expired. */
export type TakenAttempt = Attempt & { isLate: boolean };

/**
 * Removes and returns the browser's attempt with this state. Throws SignInError if there is none. A wrong state does not
 * remove the attempt, because any site can send a browser to the callback address.
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
    .returning(["nonce", "code_verifier", "return_to", "linking_session", "confirming_session"])
    .returning(sql<boolean>`expires_at <= now()`.as("isLate"))
    .executeTakeFirst();
  if (!row) throw new SignInError("expired", "the attempt is unknown or used");
  return { ...row, state };
}
