import { hash } from "node:crypto";
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The response contains secrets, so no cache may store it. */
    secret?: true;
  }
  interface FastifyReply {
    /** Set by a route whose response contains secrets only for some requests. */
    hasSecrets: boolean;
  }
}

/**
 * Lets browsers cache responses, but revalidate them on every use: the server checks access as always and responds 304 if
 * nothing has changed. The tag is weak, because it does not depend on the compression.
 */
export function revalidateAnswers(app: FastifyInstance): void {
  app.decorateReply("hasSecrets", false);
  app.addHook("onSend", (request, reply, payload, done) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !isRevalidated(request.routeOptions.config, reply, payload)) return done(null, payload);
    const tag = `W/"${hash("sha256", payload, "base64url").slice(0, 27)}"`;
    void reply.headers({ etag: tag, "cache-control": "private, no-cache" });
    // Fastify computes the length of a response to HEAD from its body.
    const isChanged = !isKnown(request.headers["if-none-match"], tag);
    if (isChanged || request.method === "HEAD") return done(null, payload);
    void reply.code(304).removeHeader("content-type");
    done(null, null);
  });
}

function isRevalidated(
  config: FastifyContextConfig,
  reply: FastifyReply,
  payload: unknown,
): payload is string {
  const { needs = "nothing", secret } = config;
  return (
    typeof payload === "string" &&
    reply.statusCode === 200 &&
    needs !== "nothing" &&
    !secret &&
    !reply.hasSecrets &&
    String(reply.getHeader("content-type")).startsWith("application/json")
  );
}

/** Whether the client's copy is the current one, according to the tags in `If-None-Match`. */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(",").some((each) => each.trim().replace(/^(?!W\/)/, "W/") === tag);
