import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyRequest, InjectOptions } from "fastify";
import type { Db } from "../db/connect.ts";
import type { Api } from "./context.ts";

/** What an inner request inherits from the request that makes it. */
type OuterRequest = {
  /** The database or transaction that the inner request uses. */
  db: Db;
};

const outerRequests = new AsyncLocalStorage<OuterRequest>();

/** The request that makes the current one inside the server; undefined for a request from a client. */
export const outerRequest = (): OuterRequest | undefined => outerRequests.getStore();

type InnerRequest = { method: "GET" | "POST" | "PATCH"; url: string; body?: object | undefined };

export type InnerAnswer = { status: number; headers: Record<string, unknown>; body: unknown };

/**
 * Calls a route on behalf of a client whose own request is being handled. The route checks the same credential, permissions and
 * body as for a request of the client. It uses `db`, so several calls can be one transaction. The call counts neither as a request
 * in flight nor against the API's rate limit, because the outer request already does; other limits apply.
 */
export async function callRoute(
  api: Api,
  request: FastifyRequest,
  db: Db,
  { method, url, body }: InnerRequest,
): Promise<InnerAnswer> {
  const options: InjectOptions = { method, url, ...fromClient(request), ...(body && { payload: body }) };
  const response = await outerRequests.run({ db }, async () => api.inject(options));
  const { statusCode: status, headers, payload } = response;
  return { status, headers, body: payload === "" ? undefined : response.json<unknown>() };
}

/** Request headers that identify the client, its origin and its credential. */
const HEADERS = [
  "authorization",
  "cookie",
  "user-agent",
  "host",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "forwarded",
];

/** The client's address and identifying headers, for a request on its behalf. */
export function fromClient(request: FastifyRequest): Pick<InjectOptions, "headers" | "remoteAddress"> {
  const sent = HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    headers: { ...Object.fromEntries(sent), accept: "application/json" },
    remoteAddress: request.socket.remoteAddress ?? "",
  };
}
