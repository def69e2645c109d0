import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { messageAnswer } from "../../src/server/answers/error-answers.ts";
import { answersOf, JSON_TYPE } from "../../src/server/answers/operation.ts";

/** Collects responses that do not match what their route declares, and thus openapi.json. */
export type Conformance = { check(): void };

/** Watches the app that `build` creates. `check` throws if a response so far was not declared. */
export async function watchAnswers<App>(build: () => Promise<App>): Promise<[App, Conformance]> {
  const violations = new Set<string>();
  const attach = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onSend", (request, reply, payload, done) => {
      const found = violation(request, reply, payload);
      if (found !== undefined) violations.add(found);
      done(null, payload);
    });
  };
  // The hook must be added before the first route, but `build` creates the app.
  subscribe("fastify.initialization", attach);
  const building = build();
  unsubscribe("fastify.initialization", attach);
  const check = () => {
    if (violations.size > 0)
      throw new Error(`Responses that are not declared:\n${[...violations].join("\n")}`);
  };
  return [await building, { check }];
}

function violation(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  const { url, config, schema = {} } = request.routeOptions;
  if (request.method === "HEAD") return undefined;
  const describe = (what: string) => `${request.method} ${url ?? request.url} → ${reply.statusCode}: ${what}`;
  const isEmpty = payload === undefined || payload === null || payload === "";
  const [type = ""] = String(reply.getHeader("content-type") ?? "").split(";");
  const inApi = (url ?? request.url).startsWith("/api/");
  if (!inApi) return undefined;

  // An unknown path, or a route that a test added.
  if (url === undefined || schema.operationId === undefined)
    return reply.statusCode >= 400 && url === undefined
      ? mismatch(messageAnswer, payload, describe)
      : undefined;

  const answer = answersOf({ method: request.method, url, config, schema }).get(reply.statusCode);
  if (!answer) return describe("the status is not declared");
  const types = Object.keys(answer.content);
  // Fastify drops the body of a 304 only after this hook.
  if (types.length === 0) return isEmpty || reply.statusCode === 304 ? undefined : describe("it has a body");
  const declared = answer.content[type] ?? answer.content["*/*"];
  if (!declared) return describe(`${type || "no type"} is not one of ${types.join(", ")}`);
  if (declared instanceof z.ZodUnknown) return undefined;
  return type === JSON_TYPE ? mismatch(declared, payload, describe) : undefined;
}

function mismatch(
  schema: z.ZodType,
  payload: unknown,
  describe: (what: string) => string,
): string | undefined {
  if (typeof payload !== "string") return describe("the body is not text");
  const result = schema.safeParse(JSON.parse(payload));
  if (result.success) return undefined;
  return describe(`${z.prettifyError(result.error)}\n  in ${payload.slice(0, 500)}`);
}
