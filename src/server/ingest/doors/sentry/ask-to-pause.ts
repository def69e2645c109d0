import type { FastifyReply } from "fastify";

const HEADER = "x-sentry-rate-limits";

/**
 * Asks the SDK to pause sending. `what` contains the categories and the scope of the limit; without them, an SDK pauses
 * everything. A response can name several limits.
 */
export function askToPause(reply: FastifyReply, seconds: number, what: string): void {
  const others = reply.getHeader(HEADER);
  const pause = `${seconds}:${what}`;
  void reply.header(HEADER, others === undefined ? pause : `${String(others)}, ${pause}`);
}
