import { invalid } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { passwordMatches } from "./passwords.ts";

export type Proof = { db: Db; limiter: RateLimiter; limits: { sign_in: number } };

/**
 * Whoever is signed in proves to know their password; returns its hash, null for an account without one, which has
 * nothing to prove. 422 on `current_password` when it is missing or wrong, 429 after as many tries in a minute as
 * signing in has: a stolen session must not find the password by trying.
 */
export async function requireCurrentPassword(
  { db, limiter, limits }: Proof,
  userId: number,
  given: string | undefined,
): Promise<string | null> {
  const user = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  if (user.password_hash === null) return null;
  if (given === undefined) throw invalid({ current_password: ["is required"] });
  await limiter.require(`sign_in:user:${userId}`, limits.sign_in);
  if (!(await passwordMatches(given, user.password_hash))) throw wrongPassword();
  return user.password_hash;
}

export const wrongPassword = () => invalid({ current_password: ["is wrong"] });
