import type { IncomingMessage } from "node:http";
import { allowsOrigin } from "../../access/allows-origin.ts";
import { knownIngestKey, type IngestKey } from "../../access/find-ingest-key.ts";
import type { Db } from "../../db/connect.ts";
import { sentKey } from "./sent-key.ts";

/** Who sends an envelope, with a key that was used a moment ago and may be used from there. */
export type KnownSdk = {
  key: IngestKey;
  isGzip: boolean;
  /** The pattern of the route. */
  route: string;
  /** The `Origin` header, which only web pages send. */
  origin: string | undefined;
};

const ADDRESS = /^\/api\/(\d{1,16})\/envelope(\/?)(?:\?(.*))?$/;
/** The first key in the query. Names with escaped characters are left to the route. */
const KEY = /^(?:(?!sentry_key=)\w+=[^&]*&)*sentry_key=([0-9a-f]{32})(?:&|$)/;

/**
 * The sender of an envelope, if everything about it is in this process's memory and the route would admit it. Undefined for
 * any other request.
 */
export function knownSdk(db: Db, { method, url = "", headers }: IncomingMessage): KnownSdk | undefined {
  if (method !== "POST" || headers.host === undefined) return undefined;
  const [, projectId, slash = "", query] = ADDRESS.exec(url) ?? [];
  const encoding = headers["content-encoding"];
  if (projectId === undefined || (encoding !== undefined && encoding !== "gzip")) return undefined;
  const sent = query === undefined ? sentKey({ query: {}, headers }) : KEY.exec(query)?.[1];
  const key = sent === undefined ? undefined : knownIngestKey(db, sent);
  if (!key?.isActive || projectId !== String(key.projectId)) return undefined;
  const { origin } = headers;
  if (!allowsOrigin(key.allowedOrigins, origin)) return undefined;
  return {
    key,
    isGzip: encoding === "gzip",
    route: `/api/:projectId/envelope${slash}`,
    origin,
  };
}
