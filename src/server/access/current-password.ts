import { sql } from "kysely";
import { forbidden, invalid } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
import type { SessionCaller } from "./credential.ts";
import { passwordMatches } from "./passwords.ts";

export type Account = { id: number; email: string; password_hash: string | null };

export function readAccount(db: Db, userId: number): Promise<Account> {
  return db
    .selectFrom("users")
    .select(["id", "email", "password_hash"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

type Confirmation = { db: Db; limiter: RateLimiter; limits: { sign_in: number } };

/**
 * Requires a signed-in user to confirm a sensitive change with their password or, if the account has none, with a fresh
 * sign-in at the identity provider. 422 on `current_password` if it is missing or wrong, 403 without a fresh sign-in. 429
 * after as many attempts per minute as sign-in allows, so that a stolen session cannot be used to guess the password.
 */
export async function requireCurrentPassword(
  { db, limiter, limits }: Confirmation,
  account: Account,
  session: SessionCaller,
  given: string | undefined,
): Promise<void> {
  if (account.password_hash === null) return requireFreshSignIn(db, session);
  if (given === undefined) throw invalid({ current_password: ["is required"] });
  await limiter.require(`sign_in:user:${account.id}`, limits.sign_in);
  if (!(await passwordMatches(given, account.password_hash))) throw wrongPassword();
}

export const wrongPassword = () => invalid({ current_password: ["is wrong"] });

/** How long after the identity provider has authenticated the user they may change how they sign in. */
export const FRESH_SECONDS = 600;

/** 403 unless the identity provider has just authenticated the user at the session's request (see sign-in-again.ts). */
export async function requireFreshSignIn(db: Db, { id_hash }: SessionCaller): Promise<void> {
  const fresh = await db
    .selectFrom("sessions")
    .select("user_id")
    .where("id_hash", "=", id_hash)
    .where(
      "provider_authenticated_at",
      ">",
      sql<string>`clock_timestamp() - make_interval(secs => ${FRESH_SECONDS})`,
    )
    .executeTakeFirst();
  if (!fresh)
    throw forbidden(
      "Sign in again with the identity provider first: your last sign-in there must be at most ten minutes old.",
    );
}
