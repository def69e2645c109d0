import type { IncomingMessage } from "node:http";
import type { Authority } from "../../../access/authority.ts";
import type { IngestKey } from "../../../access/ingest-key.ts";
import { mayUseKey } from "../../../access/refusal.ts";
import { sentKey } from "./sent-key.ts";

/** The sender of an envelope whose key is cached and may be used from the request's origin. */
export type KnownSdk = {
  key: IngestKey;
  isGzip: boolean;
  /** The pattern of the route. */
  route: string;
  /** The `Origin` header, which only web pages send. */
  origin: string | undefined;
};

const ADDRESS = /^\/api\/(\d{1,16})\/envelope(\/?)(?:\?(.*))?$/;
/** The first key in the query. The route handles names with escaped characters. */
const KEY = /^(?:(?!sentry_key=)\w+=[^&]*&)*sentry_key=([0-9a-f]{32})(?:&|$)/;

/**
 * The sender of an envelope. Undefined for any other request, and unless everything about the sender is cached and the route
 * would admit it.
 */
export function knownSdk(
  authority: Authority,
  { method, url = "", headers }: IncomingMessage,
): KnownSdk | undefined {
  if (method !== "POST" || headers.host === undefined) return undefined;
  const [, projectId, slash = "", query] = ADDRESS.exec(url) ?? [];
  const encoding = headers["content-encoding"];
  if (projectId === undefined || (encoding !== undefined && encoding !== "gzip")) return undefined;
  const sent = query === undefined ? sentKey({ query: {}, headers }) : KEY.exec(query)?.[1];
  const key = sent === undefined ? undefined : authority.knownIngestKey(sent);
  const { origin } = headers;
  if (!key || !mayUseKey(key, projectId, origin)) return undefined;
  return {
    key,
    isGzip: encoding === "gzip",
    route: `/api/:projectId/envelope${slash}`,
    origin,
  };
}
