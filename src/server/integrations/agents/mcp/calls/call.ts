import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api, Context } from "../../../../access/context.ts";
import { callRoute, type InnerAnswer } from "../../../../access/inner-request.ts";
import type { Db } from "../../../../db/connect.ts";
import type { ReadFrames } from "../../../../errors/groups/routes.ts";
import { TOKEN_CHARACTERS, type Budget } from "../../markdown/write-markdown.ts";
import { ToolError } from "./tool-error.ts";

/** What the tools need for one MCP request. */
export type Call = {
  api: Api;
  request: FastifyRequest;
  reply: FastifyReply;
  context: Context;
  readFrames: ReadFrames;
  /** The name and version of the client, if it sends them. */
  client: string | null;
  /** What tools read and change: the pool, or the transaction of a tool that writes. */
  db: Db;
  budget: Budget;
};

export const DEFAULT_TOKENS = 2_000;

export const budgetOf = (maxTokens: number): Budget => ({
  maxCharacters: maxTokens * TOKEN_CHARACTERS,
  hasMaxTokens: true,
});

/** Query parameters; undefined ones are left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** Reads a route of the API as the caller. Whatever the API rejects is a `ToolError`. */
export async function get<Body>(call: Call, path: string, query: Query = {}): Promise<Body> {
  return (await getWithHeaders(call, path, query)).body as Body;
}

/** Like `get`, with the headers of the response. */
export async function getWithHeaders(call: Call, path: string, query: Query = {}): Promise<InnerAnswer> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const search = new URLSearchParams(given).toString();
  const url = search === "" ? path : `${path}?${search}`;
  return accepted(await ask(call, "GET", url));
}

/** Changes something by a route of the API as the caller. Whatever the API rejects is a `ToolError`. */
export async function send<Body>(
  call: Call,
  method: "POST" | "PATCH",
  path: string,
  body: object,
): Promise<Body> {
  return accepted(await ask(call, method, path, body)).body as Body;
}

const ask = ({ api, request, db }: Call, method: "GET" | "POST" | "PATCH", url: string, body?: object) =>
  callRoute(api, request, db, { method, url, body });

function accepted(answer: InnerAnswer): InnerAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { message, errors, merged_into } = answer.body as Refusal;
  throw new ToolError(errors ? sentencesOf(errors) : message, {
    status: answer.status,
    mergedInto: merged_into,
  });
}

type Refusal = { message: string; errors?: Record<string, string[]>; merged_into?: number };

/** "title is required. priority must be an integer." */
export const sentencesOf = (errors: Record<string, string[]>): string =>
  Object.entries(errors)
    .map(([field, messages]) => `${field} ${messages[0]}.`)
    .slice(0, 5)
    .join(" ");
