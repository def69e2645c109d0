import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { messageAnswer } from "../../src/server/answers/error-answers.ts";
import { answersOf, JSON_TYPE } from "../../src/server/answers/operation.ts";

/** Every answer of an app that is not what its route declares, and so not what openapi.json says. */
export type Conformance = { check(): void };

/** Watches the app that `build` makes. `check` throws when any answer so far was none of those declared. */
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
  // The hook has to be there before the first route is, and the app is made within.
  subscribe("fastify.initialization", attach);
  const building = build();
  unsubscribe("fastify.initialization", attach);
  const check = () => {
    if (violations.size > 0) throw new Error(`Answers that are not declared:\n${[...violations].join("\n")}`);
  };
  return [await building, { check }];
}

function violation(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  const { url, config, schema = {} } = request.routeOptions;
  if (request.method === "HEAD") return undefined;
  const told = (what: string) => `${request.method} ${url ?? request.url} → ${reply.statusCode}: ${what}`;
  const isEmpty = payload === undefined || payload === null || payload === "";
  const [type = ""] = String(reply.getHeader("content-type") ?? "").split(";");
  const inApi = (url ?? request.url).startsWith("/api/");
  if (!inApi) return undefined;

  // No route of the API, or one that a test made for itself.
  if (url === undefined || schema.operationId === undefined)
    return reply.statusCode >= 400 && url === undefined ? mismatch(messageAnswer, payload, told) : undefined;

  const answer = answersOf({ method: request.method, url, config, schema }).get(reply.statusCode);
  if (!answer) return told("the status is not declared");
  const types = Object.keys(answer.content);
  // Of a 304 the framework drops what is left of the file.
  if (types.length === 0) return isEmpty || reply.statusCode === 304 ? undefined : told("it has a body");
  const declared = answer.content[type] ?? answer.content["*/*"];
  if (!declared) return told(`${type || "no type"} is not one of ${types.join(", ")}`);
  if (declared instanceof z.ZodUnknown) return undefined;
  return type === JSON_TYPE ? mismatch(declared, payload, told) : undefined;
}

function mismatch(schema: z.ZodType, payload: unknown, told: (what: string) => string): string | undefined {
  if (typeof payload !== "string") return told("the body is no text");
  const result = schema.safeParse(JSON.parse(payload));
  if (result.success) return undefined;
  return told(`${z.prettifyError(result.error)}\n  in ${payload.slice(0, 500)}`);
}
