import type { FastifyContextConfig, FastifySchema } from "fastify";
import { z } from "zod";
import { PERMISSIONS } from "../../shared/permissions.ts";
import {
  conflictAnswer,
  forbiddenAnswer,
  invalidAnswer,
  messageAnswer,
  notFoundAnswer,
  unexpectedAnswer,
} from "./error-answers.ts";

declare module "fastify" {
  interface FastifySchema {
    /** Every API route has one, and a response schema for each success. */
    operationId?: string;
    summary?: string;
    description?: string;
    /** Schemas by content type of bodies that the route reads itself. */
    reads?: Record<string, z.ZodType>;
    /** Error statuses beyond those that follow from the rest of the declaration. */
    refuses?: readonly Refusal[];
    /** Response headers of a success beyond the common ones. */
    sends?: readonly ("Link" | "Set-Cookie" | "Content-Disposition" | "ETag" | "Location")[];
  }
}

export type Refusal = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

/** A route as registered with Fastify. */
export type Operation = { method: string; url: string; config: FastifyContextConfig; schema: FastifySchema };

/** The body of a response: a schema by content type, empty without a body. */
export type ResponseContent = { content: Record<string, z.ZodType> };

const NOTHING: ResponseContent = { content: {} };

/** Response schema without a body. */
export const noBody = z.undefined();

/** Response schema of a body that the route writes itself, such as bytes or text. */
export const answersWith = (type: string, schema: z.ZodType = z.unknown()) => ({
  content: { [type]: { schema } },
});

export const isRead = ({ method }: Operation) => method === "GET" || method === "HEAD";

/** Not for error events, which are too many for a row each. They have an `event_id` instead. */
export const acceptsIdempotencyKey = ({ method, config }: Pick<Operation, "method" | "config">) =>
  method === "POST" && config.limit !== "ingest";

/** Every status of the operation with its body, successes first. */
export function answersOf(operation: Operation): Map<number, ResponseContent> {
  const declared = Object.entries((operation.schema.response ?? {}) as Record<string, Declared>);
  const answers = new Map(declared.map(([status, schema]) => [Number(status), answerOf(schema)]));
  if (isRevalidated(operation)) answers.set(304, NOTHING);
  for (const status of refusalsOf(operation))
    if (!answers.has(status)) answers.set(status, { content: { [JSON_TYPE]: REFUSALS[status] } });
  return answers;
}

/** Whether successes have an `ETag`, and repeated reads get 304 if nothing has changed. */
export function isRevalidated(operation: Operation): boolean {
  const { needs = "nothing", secret } = operation.config;
  const success = (operation.schema.response as Record<string, Declared> | undefined)?.[200];
  const isJson = success !== undefined && Object.hasOwn(answerOf(success).content, JSON_TYPE);
  return isRead(operation) && needs !== "nothing" && !secret && isJson;
}

export const JSON_TYPE = "application/json";

type Declared = z.ZodType | { content: Record<string, { schema: z.ZodType }> };

function answerOf(declared: Declared): ResponseContent {
  if (declared === noBody) return NOTHING;
  if (!("content" in declared)) return { content: { [JSON_TYPE]: declared } };
  const types = Object.entries(declared.content).map(([type, { schema }]) => [type, schema] as const);
  return { content: Object.fromEntries(types) };
}

/** The error statuses that follow from what a route declares, and those it lists itself. */
function refusalsOf(operation: Operation): Refusal[] {
  const { url, config, schema } = operation;
  const { needs = "nothing", limit = "api", feature } = config;
  // Malformed HTTP is rejected with 400 before routing.
  const statuses = new Set<Refusal>([400, ...(schema.refuses ?? [])]);
  if (needs !== "nothing") statuses.add(401).add(403);
  if (feature !== undefined || PERMISSIONS.some((permission) => permission === needs)) statuses.add(403);
  if (url.includes("/:")) statuses.add(404);
  if (schema.querystring !== undefined || bodiesOf(operation) !== undefined) statuses.add(422);
  // A request that changes something may come from another site (403) or have an unreadable body (408, 413, 415).
  if (!isRead(operation)) statuses.add(403).add(408).add(413).add(415);
  if (acceptsIdempotencyKey(operation)) statuses.add(409).add(422);
  // A rate limit applies to invalid credentials, even if the route itself has none.
  if (limit !== "none" || needs !== "nothing") statuses.add(429).add(500).add(503);
  return [...statuses].sort((a, b) => a - b);
}

/** The schemas of the body by content type; undefined if the operation has no body. */
export function bodiesOf({ schema }: Operation): Record<string, z.ZodType> | undefined {
  return schema.reads ?? (schema.body ? { [JSON_TYPE]: schema.body as z.ZodType } : undefined);
}

export const REFUSALS: Record<Refusal, z.ZodType> = {
  400: messageAnswer,
  401: messageAnswer,
  403: forbiddenAnswer,
  404: notFoundAnswer,
  408: messageAnswer,
  409: conflictAnswer,
  413: messageAnswer,
  415: messageAnswer,
  422: invalidAnswer,
  429: messageAnswer,
  500: unexpectedAnswer,
  502: messageAnswer,
  503: messageAnswer,
};
