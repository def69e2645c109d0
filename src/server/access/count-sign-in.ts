import type { FastifyRequest } from "fastify";
import { foldCase } from "../../shared/fold-case.ts";
import { clientAddress } from "../http/client-address.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";

/**
 * Counts an attempt to sign in to an account or to reset its password; 429 beyond the limit. The guard counts the client;
 * this counts the account, wherever the attempts come from. A client's first attempts, up to half the limit, count toward
 * one limit and its further ones toward another: no client alone can use up either and so keep the owner from signing in
 * elsewhere.
 */
export async function countSignIn(
  { limiter, limits }: { limiter: RateLimiter; limits: { sign_in: number } },
  request: FastifyRequest,
  email: string,
): Promise<void> {
  const account = `sign_in:to:${foldCase(email)}`;
  const half = Math.ceil(limits.sign_in / 2);
  const { allowed: isAmongFirst } = await limiter.take(`${account} by ${clientAddress(request)}`, half);
  await limiter.require(isAmongFirst ? account : `${account} further`, limits.sign_in);
}
