import type { FastifyRequest } from "fastify";
import type { Api } from "../access/context.ts";

/** Request headers that tell who the client is and where it comes from. */
const CLIENT = [
  "cookie",
  "user-agent",
  "host",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "forwarded",
];

/**
 * The bodies that GET requests of the same client for these paths would get, or null unless they succeed. Each is a request of its own,
 * except that it has no connection: its credential, rate limit and permissions are checked as always.
 */
export function readTogether(
  api: Api,
  request: FastifyRequest,
  paths: readonly string[],
): Promise<unknown[]> {
  const known = CLIENT.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const headers = { ...Object.fromEntries(known), accept: "application/json" };
  const remoteAddress = request.socket.remoteAddress ?? "";
  return Promise.all(
    paths.map(async (url) => {
      const answer = await api.inject({ method: "GET", url, headers, remoteAddress });
      return answer.statusCode === 200 ? answer.json<unknown>() : null;
    }),
  );
}
