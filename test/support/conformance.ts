import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { messageAnswer } from "../../src/server/answers/error-answers.ts";
import { answersOf, JSON_TYPE, type Operation } from "../../src/server/answers/operation.ts";

/** Collects responses that do not match what their route declares, and thus openapi.json. */
export type Conformance = { check(): void };

/** Watches the app that `build` creates. `check` throws if a response so far was not declared. */
export async function watchAnswers<App>(build: () => Promise<App>): Promise<[App, Conformance]> {
  const violations = new Set<string>();
  const examine = (response: Sent) => {
    const found = violation(response);
    if (found !== undefined) violations.add(found);
  };
  const attach = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onSend", (request, reply, payload, done) => {
      examine(sentByRoute(request, reply, payload));
      done(null, payload);
    });
    watchDirectAnswers(fastify, examine);
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

/** Passes on the responses that are written without Fastify. */
function watchDirectAnswers(fastify: FastifyInstance, examine: (response: Sent) => void): void {
  const operations: { pattern: RegExp; operation: Operation }[] = [];
  fastify.addHook("onRoute", ({ method, url, config = {}, schema = {} }) => {
    const pattern = new RegExp(`^${url.replaceAll(/:\w+/g, "[^/]+")}$`);
    for (const name of [method].flat())
      operations.push({ pattern, operation: { method: name, url, config, schema } });
  });
  const routed = new WeakSet<IncomingMessage>();
  fastify.addHook("onRequest", (request, _reply, done) => {
    routed.add(request.raw);
    done();
  });
  fastify.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const end = response.end;
    response.end = (...args: unknown[]) => {
      if (!routed.has(request)) {
        const [path = ""] = String(request.url).split("?", 1);
        const found = operations.find(
          ({ pattern, operation }) => operation.method === request.method && pattern.test(path),
        );
        if (found) examine(sentDirectly(found.operation, response, args[0]));
      }
      return end.apply(response, args as Parameters<typeof end>);
    };
  });
}

type Sent = {
  method: string;
  path: string;
  /** Undefined if the path is unknown. */
  operation: Operation | undefined;
  status: number;
  type: string;
  payload: unknown;
};

function sentByRoute(request: FastifyRequest, reply: FastifyReply, payload: unknown): Sent {
  const { method } = request;
  const { url, config, schema = {} } = request.routeOptions;
  const operation = url === undefined ? undefined : { method, url, config, schema };
  const type = mediaType(reply.getHeader("content-type"));
  return { method, path: url ?? request.url, operation, status: reply.statusCode, type, payload };
}

function sentDirectly(operation: Operation, response: ServerResponse, payload: unknown): Sent {
  // Without `setHeader`, Node keeps the headers only as text.
  const head = String((response as { _header?: unknown })._header);
  const type = mediaType(/^content-type: *(.*)$/im.exec(head)?.[1]);
  const { method, url } = operation;
  return { method, path: url, operation, status: response.statusCode, type, payload };
}

const mediaType = (header: number | string | string[] | undefined): string =>
  String(header ?? "").split(";", 1)[0] as string;

function violation({ method, path, operation, status, type, payload }: Sent): string | undefined {
  if (method === "HEAD") return undefined;
  const describe = (what: string) => `${method} ${path} → ${status}: ${what}`;
  const isEmpty = payload === undefined || payload === null || payload === "";
  if (!path.startsWith("/api/")) return undefined;

  if (method === "POST" && operation !== undefined && SENTRY.test(path))
    return type === JSON_TYPE
      ? mismatch(status === 200 ? sentryAnswer : sentryError, payload, describe)
      : describe(`${type || "no type"} is not ${JSON_TYPE}`);

  // An unknown path, or a route that a test added.
  if (operation?.schema.operationId === undefined)
    return status >= 400 && operation === undefined ? mismatch(messageAnswer, payload, describe) : undefined;

  const answer = answersOf(operation).get(status);
  if (!answer) return describe("the status is not declared");
  const types = Object.keys(answer.content);
  // Fastify drops the body of a 304 only after this hook.
  if (types.length === 0) return isEmpty || status === 304 ? undefined : describe("it has a body");
  const declared = answer.content[type] ?? answer.content["*/*"];
  if (!declared) return describe(`${type || "no type"} is not one of ${types.join(", ")}`);
  if (declared instanceof z.ZodUnknown) return undefined;
  return type === JSON_TYPE ? mismatch(declared, payload, describe) : undefined;
}

/** The routes of Sentry's protocol, which are not in the OpenAPI document. */
const SENTRY = /^\/api\/(:projectId\/(envelope|store|security)|0\/projects\/.*\/user-feedback)\/?$/;

const sentryAnswer = z.strictObject({ id: z.optional(z.string().regex(/^[0-9a-f]{32}$/)) });
const sentryError = z.looseObject({ detail: z.string() });

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
