import type { FastifyRequest } from "fastify";

/** The ingest key in the query, in `X-Sentry-Auth` or in `Authorization`, whichever comes first; undefined if none has one. */
export function sentKey({ query, headers }: Pick<FastifyRequest, "query" | "headers">): string | undefined {
  const [inQuery] = [(query as Record<string, unknown>)["sentry_key"]].flat();
  if (typeof inQuery === "string") return inQuery;
  return keyInHeader(headers["x-sentry-auth"]) ?? keyInHeader(headers.authorization);
}

/** `Sentry sentry_version=7, sentry_key=…`, or `DSN …` as old SDKs send it with user feedback. */
function keyInHeader(header: string | string[] | undefined): string | undefined {
  const [, scheme = "", rest = ""] = /^\s*(\w+)\s+(.*)$/.exec(String(header ?? "")) ?? [];
  if (/^dsn$/i.test(scheme)) return keyInDsn(rest);
  return /^sentry$/i.test(scheme) ? /(?:^|[\s,])sentry_key=([^\s,]*)/i.exec(rest)?.[1] : undefined;
}

/** The key in `https://KEY@host/42`, which the header of an envelope contains if it was sent through a tunnel. */
export function keyInDsn(dsn: unknown): string | undefined {
  if (typeof dsn !== "string" || !URL.canParse(dsn)) return undefined;
  return new URL(dsn).username || undefined;
}
