import type { FastifyRequest } from "fastify";
import type { Api } from "../access/context.ts";
import { fromClient } from "../access/inner-request.ts";

/**
 * The bodies of GET requests for these paths, or null for each that does not succeed or is not JSON. Each is a separate request
 * without a connection, so its credential, rate limit and permissions are checked as usual.
 */
export async function readTogether(
  api: Api,
  request: FastifyRequest,
  paths: readonly string[],
): Promise<{ data: unknown[]; hasSecrets: boolean }> {
  const client = fromClient(request);
  const reads = await Promise.all(
    paths.map(async (url) => {
      const response = await api.inject({ method: "GET", url, ...client });
      const isJson = String(response.headers["content-type"]).startsWith("application/json");
      if (response.statusCode !== 200 || !isJson) return { body: null, isSecret: false };
      return { body: response.json<unknown>(), isSecret: response.headers["cache-control"] === "no-store" };
    }),
  );
  return { data: reads.map(({ body }) => body), hasSecrets: reads.some(({ isSecret }) => isSecret) };
}
