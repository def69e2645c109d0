import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { SentryDsn } from "../../../shared/sentry-dsn.ts";
import type { OutsideRequest } from "../../integrations/webhooks/send/send-request.ts";

/** Marks what a Signalbox has forwarded, which the next one does not forward again: two that name each other would never stop. */
export const MARK = "signalbox-forwarded";

/** Routes of the protocol, which every server has. */
export type SentryRoute = "envelope" | "store" | "security";

/** Headers that the other server gets as they were sent. */
const PASSED = ["content-type", "content-encoding", "user-agent", "origin"];

/** Bytes after decompression. The DSN in a larger compressed envelope is not replaced. */
const MAX_DECOMPRESSED = 1_048_576;

const decompress = promisify(gunzip);
const compress = promisify(gzip);

/** The request for the other server: as it was sent, with the key of `dsn` in the same place. */
export function forwardedRequest(
  request: Pick<IncomingMessage, "url" | "headers" | "rawHeaders">,
  dsn: SentryDsn,
  route: SentryRoute,
): Omit<OutsideRequest, "body"> {
  const url = new URL(`${dsn.base}/api/${dsn.projectId}/${route}/`);
  const query = new URLSearchParams(/\?(.*)$/s.exec(request.url ?? "")?.[1]);
  const hasKeyInQuery = query.has("sentry_key");
  if (hasKeyInQuery) query.set("sentry_key", dsn.key);
  query.delete("sentry_secret");
  url.search = query.toString();
  const headers: Record<string, string> = { [MARK]: "1" };
  for (const name of PASSED) {
    const value = headerOf(request, name);
    if (value !== undefined) headers[name] = value;
  }
  // Sentry refuses requests with a key in both.
  if (!hasKeyInQuery) headers["x-sentry-auth"] = authOf(request, dsn.key);
  return { url: url.href, headers };
}

/** From the raw headers, because the routes remove the content type. */
function headerOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): string | undefined {
  const at = rawHeaders.findIndex((text, n) => n % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : rawHeaders[at + 1];
}

const IN_AUTH = /(?<=^|[\s,])sentry_key=[^\s,]*/i;
const SECRET = /,?\s*sentry_secret=[^\s,]*/gi;

function authOf({ headers }: Pick<IncomingMessage, "headers">, key: string): string {
  const sent = [headers["x-sentry-auth"], headers.authorization]
    .flat()
    .find((text) => text && IN_AUTH.test(text));
  if (sent === undefined) return `Sentry sentry_version=7, sentry_key=${key}`;
  return sent.replace(SECRET, "").replace(IN_AUTH, `sentry_key=${key}`);
}

/**
 * The envelope with another DSN in its first line, where some SDKs name the server: Sentry refuses envelopes that name another one. An
 * envelope that is compressed otherwise than with gzip, or too large to decompress, is returned unchanged.
 */
export async function withDsn(body: Buffer, encoding: string | undefined, dsn: string): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity") return replaceDsn(body, dsn);
  if (encoding !== "gzip") return body;
  try {
    const bytes = await decompress(body, { maxOutputLength: MAX_DECOMPRESSED });
    return await compress(replaceDsn(bytes, dsn));
  } catch {
    return body;
  }
}

function replaceDsn(envelope: Buffer, dsn: string): Buffer {
  const newline = envelope.indexOf("\n");
  const end = newline === -1 ? envelope.length : newline;
  const header = JSON.parse(envelope.toString("utf8", 0, end)) as object;
  return Buffer.concat([Buffer.from(JSON.stringify({ ...header, dsn })), envelope.subarray(end)]);
}
