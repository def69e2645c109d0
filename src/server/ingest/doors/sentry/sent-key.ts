import type { FastifyRequest } from "fastify";

type Sent = Pick<FastifyRequest, "query" | "headers">;
type Dsn = { key: string; projectId?: string };

/** The ingest key in the query, in `X-Sentry-Auth` or in `Authorization`, whichever comes first; undefined if none has one. */
export const sentKey = (request: Sent): string | undefined => findDsn(request)?.key;

/** The id of the project in the DSN that contains the key; undefined if the key was sent without a DSN. */
export const sentProject = (request: Sent): string | undefined => findDsn(request)?.projectId;

function findDsn({ query, headers }: Sent): Dsn | undefined {
  const [inQuery] = [(query as Record<string, unknown>)["sentry_key"]].flat();
  if (typeof inQuery === "string") return { key: inQuery };
  return inHeader(headers["x-sentry-auth"]) ?? inHeader(headers.authorization);
}

/** `Sentry sentry_version=7, sentry_key=…`, or `DSN …` as old SDKs send it with user feedback. */
function inHeader(header: string | string[] | undefined): Dsn | undefined {
  const [, scheme = "", rest = ""] = /^\s*(\w+)\s+(.*)$/.exec(String(header ?? "")) ?? [];
  if (/^dsn$/i.test(scheme)) return readDsn(rest);
  const key = /^sentry$/i.test(scheme) ? /(?:^|[\s,])sentry_key=([^\s,]*)/i.exec(rest)?.[1] : undefined;
  return key === undefined ? undefined : { key };
}

/** The key in `https://KEY@host/42`, which the header of an envelope contains if it was sent through a tunnel. */
export const keyInDsn = (dsn: unknown): string | undefined => readDsn(dsn)?.key;

/** The last part of the path is the project. */
function readDsn(dsn: unknown): Dsn | undefined {
  if (typeof dsn !== "string" || !URL.canParse(dsn)) return undefined;
  const { username: key, pathname } = new URL(dsn);
  return key === "" ? undefined : { key, projectId: pathname.slice(pathname.lastIndexOf("/") + 1) };
}
