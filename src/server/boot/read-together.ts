import type { FastifyRequest } from "fastify";
import type { Api } from "../access/context.ts";

/** Request headers that identify the client and its origin. */
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
 * The bodies of GET requests for these paths, or null for each that does not succeed. Each is a separate request without a
 * connection, so its credential, rate limit and permissions are checked as usual.
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
