import { invalid } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { passwordMatches } from "./passwords.ts";

export type Account = { id: number; email: string; password_hash: string | null };

export function readAccount(db: Db, userId: number): Promise<Account> {
  return db
    .selectFrom("users")
    .select(["id", "email", "password_hash"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

/**
 * Requires a signed-in user to confirm a sensitive change with their password; an account without a password has
 * nothing to confirm with. 422 on `current_password` if it is missing or wrong. 429 after as many attempts per minute
 * as sign-in allows, so that a stolen session cannot be used to guess the password.
 */
export async function requireCurrentPassword(
  { limiter, limits }: { limiter: RateLimiter; limits: { sign_in: number } },
  account: Account,
  given: string | undefined,
): Promise<void> {
  if (account.password_hash === null) return;
  if (given === undefined) throw invalid({ current_password: ["is required"] });
  await limiter.require(`sign_in:user:${account.id}`, limits.sign_in);
  if (!(await passwordMatches(given, account.password_hash))) throw wrongPassword();
}

export const wrongPassword = () => invalid({ current_password: ["is wrong"] });
